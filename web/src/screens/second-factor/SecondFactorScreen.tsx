import { mfaCodeLength } from '@anteroom/contract';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { FlowState, FormError, FormErrorKind } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { Checkbox } from '../../ui/checkbox/Checkbox.tsx';
import { CodeBoxes } from '../../ui/code-boxes/CodeBoxes.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { ClientSupport } from '../ClientSupport.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { CodeDelivery } from './CodeDelivery.tsx';
import { ResendCode } from './ResendCode.tsx';
import { SigningInAs } from './SigningInAs.tsx';
import { useFirstCode } from './use-first-code.ts';

/** Failures about the second factor as a whole. */
const formMessages: Partial<Record<FormErrorKind, MessageKey>> = {
  SiteRequiresMfa: 'mfa.errors.notConfigured',
  MfaInvalidPhoneNumber: 'mfa.errors.invalidPhoneNumber',
  SessionMigrationFailure: 'error.unexpectedErrorOccurred',
};

/** The code that came by text message. */
export function SecondFactorScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const error = useFlow((state) => state.error);
  const offersPublicComputer = useFlow(mayBePublicComputer);
  const [isPublicComputer, setPublicComputer] = useState(false);
  const { code, setCode } = useCode();
  const firstCode = useFirstCode();
  const deliveryId = useId();

  const enterCode = (): void => {
    if (isLoading) return;
    if (code.length === mfaCodeLength)
      send({ type: 'CODE_ENTERED', code, publicComputerSignIn: offersPublicComputer && isPublicComputer });
    else send({ type: 'CODE_INCOMPLETE', empty: code === '' });
  };

  // digits that are left after a failure are those of a code that was too short to be sent
  const codeHint = code === '' ? 'mfa.errors.checkCode' : 'mfa.errors.codeIncomplete';
  const formMessage = error && formMessages[error.kind];
  return (
    <>
      <Heading>{t('mfa.heading')}</Heading>
      <SigningInAs />
      <CodeDelivery id={deliveryId} firstCode={firstCode} />
      <Alert message={formMessage && t(formMessage)} occurrence={error?.occurrence ?? 0} />
      <Form onSubmit={enterCode}>
        <CodeBoxes
          label={t('mfa.code')}
          length={mfaCodeLength}
          code={code}
          onChange={setCode}
          describedBy={deliveryId}
          error={codeMessage(error)}
          errorOccurrence={error?.occurrence}
          onErrorRead={() => error && send({ type: 'CODE_ERROR_CLEARED' })}
        />
        <ResendCode firstCode={firstCode} />
        {offersPublicComputer && (
          <Checkbox
            label={t('mfa.publicComputer')}
            hint={t('mfa.publicComputerHint')}
            name="publicComputerSignIn"
            isChecked={isPublicComputer}
            onChange={setPublicComputer}
          />
        )}
        <FormActions>
          <SubmitButton isPending={isLoading}>{t('common.continue')}</SubmitButton>
        </FormActions>
      </Form>
      <ClientSupport message="mfa.noPhone" />
    </>
  );

  /** Boxes are in error with every failure; not every failure has words (specification, point 8: generic). */
  function codeMessage(failure: FormError | undefined): ReactNode {
    if (!failure) return undefined;
    if (failure.kind === 'CodeRequired') return t('mfa.errors.codeRequired');
    return failure.kind === 'InvalidMfaCode' ? `${t('mfa.errors.invalidCodeHeading')} ${t(codeHint)}` : null;
  }
}

/** The digits so far. A failure empties a whole code, which belongs to the try that it was typed for; what was not sent stays. */
function useCode(): { code: string; setCode: (code: string) => void } {
  const tries = useFlow((state) => state.errorsSeen);
  const [typed, setTyped] = useState({ code: '', tries });
  return {
    code: typed.tries === tries || typed.code.length < mfaCodeLength ? typed.code : '',
    setCode: (code) => setTyped({ code, tries }),
  };
}

/** The service's own flag, unless the application that asked has switched the choice off. */
function mayBePublicComputer({ secondFactor, context }: FlowState): boolean {
  return secondFactor.adaptiveMfa && !context?.loginFlowCustomizations?.publicComputerSignInDisabled;
}
