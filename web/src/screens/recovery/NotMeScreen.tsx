import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ButtonLink, SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { globalSupportAddress, homeAddress } from '../addresses-of-config.ts';
import { StepEntrance } from '../StepEntrance.tsx';
import { failureMessage, failureParameters } from '../failure-message.ts';
import { InvalidLink } from './InvalidLink.tsx';
import { NextAction, RecoveryFrame } from './RecoveryFrame.tsx';
import { useRecoveryVisit, useSubmission } from './recovery-visit.ts';

/**
 * The page of the link "This wasn't me". Opening the link changes nothing, so a mail scanner cannot trigger the reset;
 * only the button does.
 */
export function NotMeScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, link, config } = useRecoveryVisit();
  const home = homeAddress({ config });
  const next = home ?? globalSupportAddress({ config });
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
            <Description>{t('recovery.notMe.done')}</Description>
            {next !== undefined && (
              <NextAction>
                <ButtonLink href={next}>
                  {t(home === undefined ? 'footer.globalSupport' : 'common.goToBoards')}
                </ButtonLink>
              </NextAction>
            )}
          </>
        ) : invalid ? (
          <InvalidLink reason={invalid} description={isExpired ? t('recovery.notMe.linkOver') : undefined} />
        ) : (
          <>
            <Heading>{t('recovery.notMe.heading')}</Heading>
            <Description>{t('recovery.notMe.description')}</Description>
            <Alert message={failure && t(failureMessage(failure), failureParameters)} occurrence={failures} />
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
