import { mfaCodeLength } from '@anteroom/contract';
import { useLayoutEffect, useRef, useState } from 'react';
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
import { useFlow, useSend } from '../flow-context.tsx';
import { CodeDelivery } from './CodeDelivery.tsx';
import { ResendCode } from './ResendCode.tsx';

/** Failures about the code itself, told at the boxes. */
const codeMessages: Partial<Record<FormErrorKind, MessageKey>> = {
  CodeRequired: 'mfa.errors.codeRequired',
  InvalidMfaCode: 'mfa.errors.invalidCodeHeading',
};

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
  const firstBox = useRef<HTMLInputElement>(null);
  const occurrence = error?.occurrence;
  useLayoutEffect(() => {
    if (occurrence !== undefined) firstBox.current?.focus();
  }, [occurrence]);

  const enterCode = (): void => {
    if (isLoading) return;
    if (code.length === mfaCodeLength)
      send({ type: 'CODE_ENTERED', code, publicComputerSignIn: offersPublicComputer && isPublicComputer });
    else send({ type: 'CODE_INCOMPLETE', empty: code === '' });
  };

  const formMessage = error && formMessages[error.kind];
  return (
    <>
      <Heading>{t('mfa.heading')}</Heading>
      <CodeDelivery />
      <Alert message={formMessage && t(formMessage)} occurrence={occurrence ?? 0} />
      <Form onSubmit={enterCode}>
        <CodeBoxes
          label={t('mfa.code')}
          length={mfaCodeLength}
          code={code}
          onChange={setCode}
          error={codeMessage(error)}
          onErrorRead={() => error && send({ type: 'CODE_ERROR_CLEARED' })}
          ref={firstBox}
        />
        <ResendCode />
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
    </>
  );

  /** Boxes are in error with every failure; not every failure has words (specification, point 8: generic). */
  function codeMessage(failure: FormError | undefined): ReactNode {
    if (!failure) return undefined;
    const key = codeMessages[failure.kind];
    return key ? t(key) : null;
  }
}

/** The digits so far. Each failure empties them: they belong to the try that they were typed for. */
function useCode(): { code: string; setCode: (code: string) => void } {
  const tries = useFlow((state) => state.errorsSeen);
  const [typed, setTyped] = useState({ code: '', tries });
  return {
    code: typed.tries === tries ? typed.code : '',
    setCode: (code) => setTyped({ code, tries }),
  };
}

/** The service's own flag, unless the application that asked has switched the choice off. */
function mayBePublicComputer({ secondFactor, context }: FlowState): boolean {
  return secondFactor.adaptiveMfa && !context?.loginFlowCustomizations?.publicComputerSignInDisabled;
}
