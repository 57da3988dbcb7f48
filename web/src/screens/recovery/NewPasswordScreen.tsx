import { useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ButtonLink } from '../../ui/button/Button.tsx';
import { FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { InvalidLink } from './InvalidLink.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { RecoveryFrame, UserNameLine } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

/** The page of a recovery link. Shows the form for a new password, or why the link is not valid. */
export function NewPasswordScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, link, isInvitation } = useRecoveryVisit();
  const submission = useSubmission();
  const [isSaved, setSaved] = useState(false);
  const save = async (entered: { newPassword: string; newPasswordConfirmation: string }): Promise<void> => {
    if (link.state !== 'open') return;
    const { token } = link;
    setSaved(await submission.send(() => api.call('setNewPassword', { body: { token, ...entered } })));
  };

  const isExpired = link.state === 'invalid' || submission.failure?.code === 'recovery_link_invalid';
  const expired = isInvitation ? 'invitationOver' : 'linkExpired';
  const invalid = link.state === 'missing' ? 'linkMissing' : isExpired ? expired : undefined;
  // The document title of a state without a form is the text of its heading.
  const invalidTitle = invalid && (`recovery.newPassword.${invalid}Heading` as const);
  return (
    <RecoveryFrame
      page="new-password"
      title={isSaved ? 'recovery.newPassword.savedHeading' : invalidTitle}
      working={submission.isSending ? 'recovery.newPassword.saving' : undefined}
      done={isSaved ? t('recovery.newPassword.savedDescription') : undefined}
    >
      <StepEntrance key={isSaved ? 'saved' : invalid}>
        {isSaved ? (
          <Saved />
        ) : invalid ? (
          <InvalidLink reason={invalid} />
        ) : (
          <NewPasswordForm submission={submission} onSubmit={(entered) => void save(entered)} />
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}

/** A new password does not sign the user in: the page links to the sign-in, or to the start page, which leads there. */
function Saved(): ReactNode {
  const { t } = useLanguage();
  const { context, config, link } = useRecoveryVisit();
  const { signInUrl } = context;
  const address = signInUrl ?? findSafeAddress(config.homeUri);
  return (
    <>
      <Heading>{t('recovery.newPassword.savedHeading')}</Heading>
      {link.state === 'open' && link.facts && <UserNameLine name={link.facts.userName} />}
      <Description>{t('recovery.newPassword.savedDescription')}</Description>
      {address !== undefined && (
        <FormActions>
          <ButtonLink href={address}>
            {t(signInUrl === undefined ? 'common.goToBoards' : 'login.signIn')}
          </ButtonLink>
        </FormActions>
      )}
    </>
  );
}
