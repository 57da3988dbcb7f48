import { useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Description } from '../../ui/text/Description.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { RecoveryFrame } from './RecoveryFrame.tsx';
import { pageAddress, useRecoveryVisit } from './recovery-visit.ts';
import { useSubmission } from './use-submission.ts';
import { WayOn } from './WayOn.tsx';

/** Where the link of the message leads: a new password, or why there is none to be set. */
export function NewPasswordScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, link } = useRecoveryVisit();
  const submission = useSubmission();
  const [isSaved, setSaved] = useState(false);
  const isOver = link.state === 'invalid' || submission.failure?.code === 'recovery_link_invalid';

  const save = async (entered: { newPassword: string; newPasswordConfirmation: string }): Promise<void> => {
    if (link.state !== 'open') return;
    const { token } = link;
    setSaved(await submission.send(() => api.call('setNewPassword', { body: { token, ...entered } })));
  };

  const page = isSaved ? 'saved' : isOver ? 'over' : link.state;
  return (
    <RecoveryFrame
      page="new-password"
      working={submission.isSending ? 'recovery.newPassword.saving' : undefined}
      done={isSaved ? t('recovery.newPassword.savedDescription') : undefined}
    >
      <StepEntrance key={page}>
        {page === 'saved' && <Saved />}
        {page === 'over' && <Over />}
        {page === 'missing' && <Missing />}
        {page === 'open' && (
          <NewPasswordForm submission={submission} onSubmit={(entered) => void save(entered)} />
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}

/** Nobody is signed in by a new password: the way on is the sign-in, where it is known. */
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

function Over(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('recovery.newPassword.linkExpiredHeading')}</Heading>
      <Description>{t('recovery.newPassword.linkExpiredDescription')}</Description>
      <AskAgain />
    </>
  );
}

function Missing(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('recovery.newPassword.linkMissingHeading')}</Heading>
      <Description>{t('recovery.newPassword.linkMissingDescription')}</Description>
      <AskAgain />
    </>
  );
}

function AskAgain(): ReactNode {
  const { t, locale } = useLanguage();
  const { referer } = useRecoveryVisit();
  return (
    <WayOn>
      <ButtonLink href={pageAddress('forgotten-password', locale, referer)}>
        {t('recovery.newPassword.askAgain')}
      </ButtonLink>
    </WayOn>
  );
}
