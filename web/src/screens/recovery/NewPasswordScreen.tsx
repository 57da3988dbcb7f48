import { useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ButtonLink } from '../../ui/button/Button.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { LinkOver } from './LinkOver.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { RecoveryFrame, WayOn } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

/** The document title of each state without a form: the same text as its heading. */
const titles = {
  saved: 'recovery.newPassword.savedHeading',
  over: 'recovery.newPassword.linkExpiredHeading',
  invitationOver: 'recovery.newPassword.invitationOverHeading',
  missing: 'recovery.newPassword.linkMissingHeading',
  open: undefined,
} as const;

/** The page of a recovery link. Shows the form for a new password, or why the link is not valid. */
export function NewPasswordScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, link, isInvitation } = useRecoveryVisit();
  const submission = useSubmission();
  const [isSaved, setSaved] = useState(false);
  const isOver = submission.failure?.code === 'recovery_link_invalid';

  const save = async (entered: { newPassword: string; newPasswordConfirmation: string }): Promise<void> => {
    if (link.state !== 'open') return;
    const { token } = link;
    setSaved(await submission.send(() => api.call('setNewPassword', { body: { token, ...entered } })));
  };

  const over = isInvitation ? 'invitationOver' : 'over';
  const page = isSaved ? 'saved' : isOver || link.state === 'invalid' ? over : link.state;
  return (
    <RecoveryFrame
      page="new-password"
      title={titles[page]}
      working={submission.isSending ? 'recovery.newPassword.saving' : undefined}
      done={isSaved ? t('recovery.newPassword.savedDescription') : undefined}
    >
      <StepEntrance key={page}>
        {page === 'saved' && <Saved />}
        {page === 'over' && (
          <LinkOver
            heading={t('recovery.newPassword.linkExpiredHeading')}
            description={t('recovery.newPassword.linkExpiredDescription')}
          />
        )}
        {page === 'invitationOver' && (
          <LinkOver
            heading={t('recovery.newPassword.invitationOverHeading')}
            description={t('recovery.newPassword.invitationOverDescription')}
          />
        )}
        {page === 'missing' && (
          <LinkOver
            heading={t('recovery.newPassword.linkMissingHeading')}
            description={t('recovery.newPassword.linkMissingDescription')}
          />
        )}
        {page === 'open' && (
          <NewPasswordForm submission={submission} onSubmit={(entered) => void save(entered)} />
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}

/** A new password does not sign the user in: the page links to the sign-in if its address is known. */
function Saved(): ReactNode {
  const { t } = useLanguage();
  const address = findSafeAddress(useRecoveryVisit().context.signInUrl);
  return (
    <>
      <Heading>{t('recovery.newPassword.savedHeading')}</Heading>
      <Description>{t('recovery.newPassword.savedDescription')}</Description>
      {address !== undefined && (
        <WayOn>
          <ButtonLink href={address}>{t('login.signIn')}</ButtonLink>
        </WayOn>
      )}
    </>
  );
}
