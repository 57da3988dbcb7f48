import { recoveryMessagesPerUser } from '@anteroom/contract/recovery';
import { typedName } from '@anteroom/contract/typed-names';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { Failure } from '../../flow/events.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { failureText } from '../failure-message.ts';
import { StepEntrance } from '../StepEntrance.tsx';
import { RecoveryFrame, UserNameLine } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

interface MailRequestProps<TProblem> {
  page: 'forgotten-password' | 'forgotten-site';
  texts: 'recovery.password' | 'recovery.site';
  /** The same text whether an e-mail was sent or not. */
  sent: string;
  /** The first content of the field. */
  suggested?: string | undefined;
  /** Sends the first content of the field without a press. */
  sendsAtOnce?: boolean;
  /** The field's problem, found in its content. */
  findProblem: (entered: string) => TProblem | undefined;
  send: (entered: string) => Promise<{ ok: true } | { ok: false; failure: Failure }>;
  renderField: (field: {
    problem: TProblem | undefined;
    defaultValue: string | undefined;
    ref: RefObject<HTMLInputElement | null>;
  }) => ReactNode;
}

/** Requests a user name or an e-mail address, and has an e-mail sent. The result does not depend on whether it is known. */
export function MailRequest<TProblem>(props: MailRequestProps<TProblem>): ReactNode {
  const { page, texts, sent, sendsAtOnce = false, findProblem, send, renderField } = props;
  const { t } = useLanguage();
  const { context } = useRecoveryVisit();
  const submission = useSubmission();
  const { isSending, failure, failures } = submission;
  const [problem, setProblem] = useState<TProblem>();
  const [entered, setEntered] = useState(props.suggested ?? '');
  const [isSent, setSent] = useState(false);
  /** The number of requests for what was entered. */
  const [times, setTimes] = useState(0);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (): Promise<void> => {
    const typed = typedName(field.current?.value ?? '');
    const found = findProblem(typed);
    setProblem(found);
    if (found !== undefined) return field.current?.focus();
    await request(typed);
  };
  const request = async (name: string): Promise<void> => {
    if (!(await submission.send(() => send(name)))) return;
    setEntered(name);
    setTimes(name === entered ? times + 1 : 1);
    setSent(true);
  };
  const alert = <Alert message={failure && failureText(failure, t)} occurrence={failures} />;
  // The service sends no more, and must not say for which names.
  const isLast = times >= recoveryMessagesPerUser;
  const sentText = isLast
    ? t('recovery.sentLast', { minutes: context.linkValidityInMinutes })
    : times > 1
      ? t(`${texts}.sentAgain`)
      : sent;

  const sendAtOnce = useRef(sendsAtOnce ? submit : undefined);
  useEffect(() => void sendAtOnce.current?.(), []);

  return (
    <RecoveryFrame
      page={page}
      title={isSent ? `${texts}.sentHeading` : undefined}
      working={isSending ? 'recovery.sending' : undefined}
      done={isSent ? `${entered}\n${sentText}` : undefined}
    >
      <StepEntrance key={isSent ? `sent ${isLast}` : 'form'}>
        {isSent ? (
          <>
            <Heading>{t(`${texts}.sentHeading`)}</Heading>
            <UserNameLine name={entered} onChange={() => setSent(false)} />
            <Description>
              <p>{sentText}</p>
              <p>{t('recovery.spam')}</p>
            </Description>
            {alert}
            {!isLast && (
              <FormActions>
                <Button variant="secondary" isPending={isSending} onPress={() => void request(entered)}>
                  {t('recovery.sendAgain')}
                </Button>
              </FormActions>
            )}
          </>
        ) : (
          <>
            <Heading>{t(`${texts}.heading`)}</Heading>
            <Description>{t(`${texts}.description`)}</Description>
            {alert}
            <Form onSubmit={() => void submit()}>
              {renderField({ problem, defaultValue: entered, ref: field })}
              <FormActions>
                <SubmitButton isPending={isSending}>{t(`${texts}.send`)}</SubmitButton>
              </FormActions>
            </Form>
          </>
        )}
      </StepEntrance>
    </RecoveryFrame>
  );
}
