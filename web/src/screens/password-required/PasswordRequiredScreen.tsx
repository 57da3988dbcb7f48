import type { ReactNode } from 'react';
import { findOrganisation } from '../../flow/context.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useFlow } from '../flow-context.tsx';
import { ForgotCredentials } from '../ForgotCredentials.tsx';
import { SignInForm } from '../SignInForm.tsx';

/** Requests the password for a site whose authentication method differs from that of the session. */
export function PasswordRequiredScreen(): ReactNode {
  const { t } = useLanguage();
  const site = useFlow((state) => findOrganisation(state)?.displayName ?? state.site);
  return (
    <>
      <Heading>{t('passwordRequired.heading')}</Heading>
      <Description>
        {site === undefined ? (
          t('passwordRequired.descriptionWithoutSite')
        ) : (
          <RichText message="passwordRequired.description" parts={{ site }} />
        )}
      </Description>
      <SignInForm action={t('login.confirm')}>
        <ForgotCredentials />
      </SignInForm>
    </>
  );
}
