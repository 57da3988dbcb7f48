import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ButtonLink, SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { failureText } from '../failure-message.ts';
import { InvalidLink } from './InvalidLink.tsx';
import { RecoveryFrame } from './RecoveryFrame.tsx';
import { pageAddress, useRecoveryVisit, useSubmission } from './recovery-visit.ts';
import styles from './recovery.module.css';

/** What the button does, in this order. */
const steps = ['signOut', 'password', 'factors', 'link'] as const;

/**
 * The page of the link "This wasn't me". Opening the link changes nothing, so a mail scanner cannot trigger the reset;
 * only the button does.
 */
export function NotMeScreen(): ReactNode {
  const { t, locale } = useLanguage();
  const { api, link, referer } = useRecoveryVisit();
  const submission = useSubmission();
  const { isSending, failure, failures } = submission;
  const [isDone, setDone] = useState(false);
  const isExpired = failure?.code === 'recovery_link_invalid' || failure?.code === 'validation_failed';

  const refuse = async (): Promise<void> => {
    if (link.state !== 'open') return;
    const { token } = link;
    setDone(await submission.send(() => api.call('refuseChange', { body: { token } })));
  };

  const invalid = link.state === 'missing' ? 'linkMissing' : isExpired ? 'linkExpired' : undefined;
  // The document title of a state without a form is the text of its heading.
  const invalidTitle = invalid && (`recovery.newPassword.${invalid}Heading` as const);
  return (
    <RecoveryFrame
      page="not-me"
      title={isDone ? 'recovery.password.sentHeading' : invalidTitle}
      working={isSending ? 'recovery.notMe.acting' : undefined}
      done={isDone ? t('recovery.notMe.done') : undefined}
    >
      <StepEntrance key={isDone ? 'done' : invalid}>
        {isDone ? (
          <>
            <Heading>{t('recovery.password.sentHeading')}</Heading>
            <Description>
              <p>{t('recovery.notMe.done')}</p>
              <p>{t('recovery.spam')}</p>
            </Description>
            {/* There is no link to the sign-in, because the user must first set a new password with the e-mail. */}
            <FormActions>
              <ButtonLink
                action="forgot-credentials"
                variant="secondary"
                href={pageAddress('forgotten-password', locale, referer)}
              >
                {t('recovery.newPassword.askAgain')}
              </ButtonLink>
            </FormActions>
          </>
        ) : invalid ? (
          <InvalidLink reason={invalid} description={isExpired ? t('recovery.notMe.linkOver') : undefined} />
        ) : (
          <>
            <Heading>{t('recovery.notMe.heading')}</Heading>
            <Description>
              <p>{t('recovery.notMe.description')}</p>
              <ul className={styles.steps}>
                {steps.map((step) => (
                  <li key={step}>{t(`recovery.notMe.steps.${step}`)}</li>
                ))}
              </ul>
            </Description>
            <Alert message={failure && failureText(failure, t)} occurrence={failures} />
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
