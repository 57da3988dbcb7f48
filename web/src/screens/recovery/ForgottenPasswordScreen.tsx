import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { textOf } from '../form-data.ts';
import { StepEntrance } from '../StepEntrance.tsx';
import { findUserNameProblem, UserNameField } from '../UserNameField.tsx';
import type { UserNameProblem } from '../UserNameField.tsx';
import { failureMessage } from '../failure-message.ts';
import { MessageSent, RecoveryFrame } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

/** Requests a user name and has a recovery e-mail sent. The page shows the same result for every name. */
export function ForgottenPasswordScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, referer, context, userName: carried } = useRecoveryVisit();
  const submission = useSubmission();
  const { isSending, failure, failures } = submission;
  const [problem, setProblem] = useState<UserNameProblem>();
  const [suggested, setSuggested] = useState(carried);
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const askForLink = async (data: FormData): Promise<void> => {
    const userName = textOf(data, 'userName').trim();
    const found = findUserNameProblem(userName);
    setProblem(found);
    if (found) return field.current?.focus();
    const isTaken = await submission.send(() =>
      api.call('sendPasswordLink', { body: { ...referer, userName } }),
    );
    if (!isTaken) return;
    setSuggested(userName);
    setSent(true);
  };

  const sent = t('recovery.password.sentDescription', { count: context.linkValidityInMinutes });
  return (
    <RecoveryFrame
      page="forgotten-password"
      title={isSent ? 'recovery.password.sentHeading' : undefined}
      working={isSending ? 'recovery.sending' : undefined}
      done={isSent ? sent : undefined}
    >
      <StepEntrance key={isSent ? 'sent' : 'form'}>
        {isSent ? (
          <MessageSent
            heading={t('recovery.password.sentHeading')}
            description={sent}
            onTryAgain={() => setSent(false)}
          />
        ) : (
          <>
            <Heading>{t('recovery.password.heading')}</Heading>
            <Description>{t('recovery.password.description')}</Description>
            <Alert message={failure && t(failureMessage(failure))} occurrence={failures} />
            <Form onSubmit={(data) => void askForLink(data)}>
              <UserNameField problem={problem} defaultValue={suggested} ref={field} />
              <FormActions>
                <SubmitButton isPending={isSending}>{t('recovery.password.send')}</SubmitButton>
              </FormActions>
            </Form>
          </>
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}
