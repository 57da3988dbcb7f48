import { supportedLocales } from '@anteroom/contract';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Failure } from '../../flow/events.ts';
import { chooseLanguage } from '../../i18n/choose-language.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { brand } from '../../ui/brand.ts';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { Card } from '../../ui/card/Card.tsx';
import { Footer } from '../../ui/footer/Footer.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { failureMessage } from '../failure-message.ts';
import type { Ceremony } from '../passkey-ceremonies.ts';

interface PasskeyOfferProps {
  create: () => Promise<Ceremony<{ name: string }>>;
  decline: () => Promise<unknown>;
  /** Continues to the application. */
  goOn: () => Promise<{ failure: Failure } | undefined>;
  privacyPolicyAddress: string | undefined;
  globalSupportAddress: string | undefined;
  hasLinks: boolean;
  isFlat: boolean;
}

/** Offers a passkey after a sign-in with password and code. */
export function PasskeyOffer(props: PasskeyOfferProps): ReactNode {
  const { create, decline, goOn, privacyPolicyAddress, globalSupportAddress, hasLinks, isFlat } = props;
  const { t } = useLanguage();
  const [working, setWorking] = useState<'create' | 'leave'>();
  const [problem, setProblem] = useState<{ message: MessageKey; occurrence: number }>();
  const title = t('titles.document', { title: t('passkey.heading'), product: brand.productName });
  useEffect(() => {
    document.title = title;
  }, [title]);

  const tell = (message: MessageKey): void => {
    setWorking(undefined);
    setProblem((before) => ({ message, occurrence: (before?.occurrence ?? 0) + 1 }));
  };
  const leave = async (): Promise<void> => {
    setWorking('leave');
    const failed = await goOn();
    if (failed) tell(failureMessage(failed.failure));
  };
  const accept = async (): Promise<void> => {
    if (working) return;
    setWorking('create');
    const result = await create();
    if ('name' in result) return leave();
    if ('failure' in result) return tell(failureMessage(result.failure));
    tell(result.problem === 'cancelled' ? 'passkey.errors.notCreated' : `passkey.errors.${result.problem}`);
  };
  const refuse = async (): Promise<void> => {
    if (working) return;
    setWorking('leave');
    await decline();
    await leave();
  };

  return (
    <>
      <Card
        step="passkey"
        isLoading={working !== undefined}
        hasH1Logo
        header={undefined}
        footer={
          hasLinks ? (
            <Footer
              privacyPolicyAddress={privacyPolicyAddress}
              globalSupportAddress={globalSupportAddress}
              locales={supportedLocales}
              onChooseLanguage={chooseLanguage}
            />
          ) : undefined
        }
        theme="default"
        isWide={false}
        isFlat={isFlat}
        hasErrorMargin={false}
      >
        <StepEntrance>
          <Heading>{t('passkey.heading')}</Heading>
          <Description>
            <p>{t('passkey.description')}</p>
            <p>{t('passkey.ownDevice')}</p>
          </Description>
          <Alert message={problem && t(problem.message)} occurrence={problem?.occurrence ?? 0} />
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
      </Card>
      <LiveRegion
        isAssertive
        message={working && t(working === 'create' ? 'passkey.creating' : 'common.leaving')}
      />
    </>
  );
}
