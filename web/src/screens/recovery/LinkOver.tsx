import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ButtonLink } from '../../ui/button/Button.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { pageAddress, useRecoveryVisit } from './recovery-visit.ts';
import { WayOn } from './RecoveryFrame.tsx';

/**
 * Explains why a recovery link is invalid or missing, and links to the page where the visitor can request a new one.
 */
export function LinkOver({ heading, description }: { heading: string; description: string }): ReactNode {
  const { t, locale } = useLanguage();
  const { referer } = useRecoveryVisit();
  return (
    <>
      <Heading>{heading}</Heading>
      <Description>{description}</Description>
      <WayOn>
        <ButtonLink href={pageAddress('forgotten-password', locale, referer)}>
          {t('recovery.newPassword.askAgain')}
        </ButtonLink>
      </WayOn>
    </>
  );
}
