import type { AuthContext, Config } from '@anteroom/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Failure } from '../../flow/events.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { failureMessage, failureParameters } from '../failure-message.ts';
import { StandaloneFrame } from '../StandaloneFrame.tsx';
import type { Ceremony } from '../passkey-ceremonies.ts';
import { useProblem } from '../use-problem.ts';

interface PasskeyOfferProps {
  create: () => Promise<Ceremony<{ name: string }>>;
  decline: () => Promise<unknown>;
  /** Navigates to the application. */
  goOn: () => Promise<{ failure: Failure } | undefined>;
  config: Config;
  customizations: AuthContext['loginFlowCustomizations'];
}

/** Offers a passkey after a sign-in with password and code. */
export function PasskeyOffer(props: PasskeyOfferProps): ReactNode {
  const { create, decline, goOn, config, customizations } = props;
  const { t } = useLanguage();
  const [working, setWorking] = useState<'create' | 'leave'>();
  const problem = useProblem<MessageKey>();

  const showProblem = (message: MessageKey): void => {
    setWorking(undefined);
    problem.show(message);
  };
  const leave = async (): Promise<void> => {
    setWorking('leave');
    const failed = await goOn();
    if (failed) showProblem(failureMessage(failed.failure));
  };
  const accept = async (): Promise<void> => {
    if (working) return;
    setWorking('create');
    const result = await create();
    if ('name' in result) return leave();
    if ('failure' in result) return showProblem(failureMessage(result.failure));
    showProblem(
      result.problem === 'cancelled' ? 'passkey.errors.notCreated' : `passkey.errors.${result.problem}`,
    );
  };
  const refuse = async (): Promise<void> => {
    if (working) return;
    setWorking('leave');
    await decline();
    await leave();
  };

  return (
    <StandaloneFrame
      step="passkey"
      title={t('passkey.heading')}
      config={config}
      customizations={customizations}
      header={undefined}
      hasH1Logo
      isWide={false}
      working={working && t(working === 'create' ? 'passkey.creating' : 'common.leaving')}
      done={undefined}
    >
      <StepEntrance>
        <Heading>{t('passkey.heading')}</Heading>
        <Description>
          <p>{t('passkey.description')}</p>
          <p>{t('passkey.ownDevice')}</p>
        </Description>
        <Alert
          message={problem.message && t(problem.message, failureParameters)}
          occurrence={problem.occurrence}
        />
        <Form onSubmit={() => void accept()}>
          <FormActions>
            <SubmitButton action="create-passkey" isPending={working === 'create'}>
              {t('passkey.create')}
            </SubmitButton>
            <Button action="not-now" variant="secondary" onPress={() => void refuse()}>
              {t('passkey.notNow')}
            </Button>
          </FormActions>
        </Form>
      </StepEntrance>
    </StandaloneFrame>
  );
}
