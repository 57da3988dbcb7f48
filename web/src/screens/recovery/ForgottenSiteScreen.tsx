import { emailMaximumLength } from '@anteroom/contract/recovery';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import type { Translator } from '../../i18n/translator.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/field/TextField.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { textOf } from '../form-data.ts';
import { StepEntrance } from '../StepEntrance.tsx';
import { failureMessage } from '../failure-message.ts';
import { MessageSent, RecoveryFrame } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

type Problem = 'missing' | 'tooLong' | 'invalid';

/** Requests an e-mail address, to which the service sends the names of the user's sites. */
export function ForgottenSiteScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, referer } = useRecoveryVisit();
  const submission = useSubmission();
  const { isSending, failure, failures } = submission;
  const [problem, setProblem] = useState<Problem>();
  const [sentTo, setSentTo] = useState<string>();
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const askForSites = async (data: FormData): Promise<void> => {
    const email = textOf(data, 'email').trim();
    const found = findProblem(email);
    setProblem(found);
    if (found) return field.current?.focus();
    const isTaken = await submission.send(() => api.call('sendSiteNames', { body: { ...referer, email } }));
    if (!isTaken) return;
    setSentTo(email);
    setSent(true);
  };

  const sent = t('recovery.site.sentDescription');
  return (
    <RecoveryFrame
      page="forgotten-site"
      title={isSent ? 'recovery.site.sentHeading' : undefined}
      working={isSending ? 'recovery.sending' : undefined}
      done={isSent ? sent : undefined}
    >
      <StepEntrance key={isSent ? 'sent' : 'form'}>
        {isSent ? (
          <MessageSent
            heading={t('recovery.site.sentHeading')}
            description={sent}
            onTryAgain={() => setSent(false)}
          />
        ) : (
          <>
            <Heading>{t('recovery.site.heading')}</Heading>
            <Description>{t('recovery.site.description')}</Description>
            <Alert message={failure && t(failureMessage(failure))} occurrence={failures} />
            <Form onSubmit={(data) => void askForSites(data)}>
              <TextField
                label={t('recovery.site.email')}
                name="email"
                type="email"
                autoComplete="email"
                defaultValue={sentTo}
                error={problem && problemText(problem, t)}
                ref={field}
              />
              <FormActions>
                <SubmitButton isPending={isSending}>{t('recovery.site.send')}</SubmitButton>
              </FormActions>
            </Form>
          </>
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}

/**
 * Rejects only text that cannot be an e-mail address. Whether an address works is known only when the e-mail is sent.
 */
function findProblem(email: string): Problem | undefined {
  if (email === '') return 'missing';
  if (email.length > emailMaximumLength) return 'tooLong';
  return /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : 'invalid';
}

function problemText(problem: Problem, t: Translator['t']): string {
  switch (problem) {
    case 'missing':
      return t('recovery.site.emailRequired');
    case 'tooLong':
      return t('login.errors.userNameTooLong', { count: emailMaximumLength });
    case 'invalid':
      return t('recovery.site.emailInvalid');
  }
}
