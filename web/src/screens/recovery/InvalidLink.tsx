import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ButtonLink } from '../../ui/button/Button.tsx';
import { FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { pageAddress, useRecoveryVisit } from './recovery-visit.ts';

interface InvalidLinkProps {
  reason: 'linkExpired' | 'linkMissing' | 'invitationOver';
  /** Replaces the description of the reason. */
  description?: string | undefined;
}

/**
 * Explains why a recovery link is invalid or missing, and links to the page where the visitor can request a new one.
 */
export function InvalidLink({ reason, description }: InvalidLinkProps): ReactNode {
  const { t, locale } = useLanguage();
  const { referer } = useRecoveryVisit();
  return (
    <>
      <Heading>{t(`recovery.newPassword.${reason}Heading`)}</Heading>
      <Description>{description ?? t(`recovery.newPassword.${reason}Description`)}</Description>
      <FormActions>
        <ButtonLink href={pageAddress('forgotten-password', locale, referer)}>
          {t('recovery.newPassword.askAgain')}
        </ButtonLink>
      </FormActions>
    </>
  );
}
