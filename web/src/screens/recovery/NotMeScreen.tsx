import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { failureMessage } from '../failure-message.ts';
import { LinkOver } from './LinkOver.tsx';
import { RecoveryFrame } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

/** The document titles without a form. */
const titles = {
  done: 'recovery.password.sentHeading',
  over: 'recovery.newPassword.linkExpiredHeading',
  invalid: 'recovery.newPassword.linkExpiredHeading',
  missing: 'recovery.newPassword.linkMissingHeading',
  open: undefined,
} as const;

/**
 * The page of the link "This wasn't me". Opening the link changes nothing, so a mail scanner cannot trigger the reset;
 * only the button does.
 */
export function NotMeScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, link } = useRecoveryVisit();
  const submission = useSubmission();
  const { isSending, failure, failures } = submission;
  const [isDone, setDone] = useState(false);
  const isOver = failure?.code === 'recovery_link_invalid' || failure?.code === 'validation_failed';

  const refuse = async (): Promise<void> => {
    if (link.state !== 'open') return;
    const { token } = link;
    setDone(await submission.send(() => api.call('refuseChange', { body: { token } })));
  };

  const page = isDone ? 'done' : isOver ? 'over' : link.state;
  return (
    <RecoveryFrame
      page="not-me"
      title={titles[page]}
      working={isSending ? 'recovery.notMe.acting' : undefined}
      done={isDone ? t('recovery.notMe.done') : undefined}
    >
      <StepEntrance key={page}>
        {page === 'done' && (
          <>
            <Heading>{t('recovery.password.sentHeading')}</Heading>
            <Description>{t('recovery.notMe.done')}</Description>
          </>
        )}
        {page === 'over' && (
          <LinkOver
            heading={t('recovery.newPassword.linkExpiredHeading')}
            description={t('recovery.notMe.linkOver')}
          />
        )}
        {page === 'missing' && (
          <LinkOver
            heading={t('recovery.newPassword.linkMissingHeading')}
            description={t('recovery.newPassword.linkMissingDescription')}
          />
        )}
        {page === 'open' && (
          <>
            <Heading>{t('recovery.notMe.heading')}</Heading>
            <Description>{t('recovery.notMe.description')}</Description>
            <Alert message={failure && t(failureMessage(failure))} occurrence={failures} />
            <Form onSubmit={() => void refuse()}>
              <FormActions>
                <SubmitButton isPending={isSending}>{t('recovery.notMe.act')}</SubmitButton>
              </FormActions>
            </Form>
          </>
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}
