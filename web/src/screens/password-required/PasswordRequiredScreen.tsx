import type { ReactNode } from 'react';
import { findOrganisation } from '../../flow/context.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Description } from '../../ui/text/Heading.tsx';
import { useFlow } from '../flow-context.tsx';
import { SignInForm } from '../SignInForm.tsx';
import { SiteHeading } from '../SiteHeading.tsx';

/** Requests the password for a site whose authentication method differs from that of the session. */
export function PasswordRequiredScreen(): ReactNode {
  const { t } = useLanguage();
  const site = useFlow((state) => findOrganisation(state)?.displayName ?? state.site);
  return (
    <>
      <SiteHeading above={null}>{t('passwordRequired.heading')}</SiteHeading>
      <Description>
        {site === undefined ? (
          t('passwordRequired.descriptionWithoutSite')
        ) : (
          <RichText message="passwordRequired.description" parts={{ site }} />
        )}
      </Description>
      <SignInForm action={t('login.confirm')} />
    </>
  );
}
