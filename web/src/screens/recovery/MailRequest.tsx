import { typedName } from '@anteroom/contract/typed-names';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { Failure } from '../../flow/events.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { failureMessage, failureParameters } from '../failure-message.ts';
import { StepEntrance } from '../StepEntrance.tsx';
import { RecoveryFrame, UserNameLine } from './RecoveryFrame.tsx';
import { useSubmission } from './recovery-visit.ts';

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
  const submission = useSubmission();
  const { isSending, failure, failures } = submission;
  const [problem, setProblem] = useState<TProblem>();
  const [entered, setEntered] = useState(props.suggested ?? '');
  /** The number of requests for what was entered. */
  const [times, setTimes] = useState(0);
  const isSent = times > 0;
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
    setTimes((before) => before + 1);
  };
  const alert = (
    <Alert message={failure && t(failureMessage(failure), failureParameters)} occurrence={failures} />
  );
  const sentText = times > 1 ? t('recovery.sentAgain') : sent;

  const sendAtOnce = useRef(sendsAtOnce ? submit : undefined);
  useEffect(() => void sendAtOnce.current?.(), []);

  return (
    <RecoveryFrame
      page={page}
      title={isSent ? `${texts}.sentHeading` : undefined}
      working={isSending ? 'recovery.sending' : undefined}
      done={isSent ? `${entered}\n${sentText}` : undefined}
    >
      <StepEntrance key={isSent ? 'sent' : 'form'}>
        {isSent ? (
          <>
            <Heading>{t(`${texts}.sentHeading`)}</Heading>
            <UserNameLine name={entered} onChange={() => setTimes(0)} />
            <Description>
              <p>{sentText}</p>
              <p>{t('recovery.spam')}</p>
            </Description>
            {alert}
            <FormActions>
              <Button variant="secondary" isPending={isSending} onPress={() => void request(entered)}>
                {t('recovery.sendAgain')}
              </Button>
            </FormActions>
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
