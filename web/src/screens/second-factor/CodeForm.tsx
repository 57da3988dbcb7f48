import { mfaCodeLength } from '@anteroom/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FlowState, FormError, FormErrorKind } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { Checkbox } from '../../ui/checkbox/Checkbox.tsx';
import { CodeBoxes } from '../../ui/code-boxes/CodeBoxes.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { useFlow, useSend } from '../flow-context.tsx';

/** The messages of failures that concern the whole second factor. */
const formMessages: Partial<Record<FormErrorKind, MessageKey>> = {
  SiteRequiresMfa: 'mfa.errors.notConfigured',
  MfaInvalidPhoneNumber: 'mfa.errors.invalidPhoneNumber',
  SessionMigrationFailure: 'error.unexpectedErrorOccurred',
};

interface CodeFormProps {
  /** The messages for no digits and for a wrong code. */
  required: string;
  wrong: string;
  /** The id of the element that says where the code comes from. */
  describedBy: string;
  factor?: 'sms' | undefined;
  /** Content beside the boxes: the resend button. */
  children?: ReactNode;
}

/** The code boxes, and the checkbox for a public computer. */
export function CodeForm({ required, wrong, describedBy, factor, children }: CodeFormProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const error = useFlow((state) => state.error);
  const offersPublicComputer = useFlow(mayBePublicComputer);
  const [isPublicComputer, setPublicComputer] = useState(false);
  const { code, setCode } = useCode();

  const enterCode = (): void => {
    if (isLoading) return;
    const publicComputerSignIn = offersPublicComputer && isPublicComputer;
    if (code.length === mfaCodeLength) send({ type: 'CODE_ENTERED', code, publicComputerSignIn, factor });
    else send({ type: 'CODE_INCOMPLETE', empty: code === '' });
  };

  const formMessage = error && formMessages[error.kind];
  return (
    <>
      <Alert message={formMessage && t(formMessage)} occurrence={error?.occurrence ?? 0} />
      <Form onSubmit={enterCode}>
        <CodeBoxes
          label={t('mfa.code')}
          length={mfaCodeLength}
          code={code}
          onChange={setCode}
          describedBy={describedBy}
          error={codeMessage(error)}
          errorOccurrence={error?.occurrence}
          onErrorRead={() => error && send({ type: 'CODE_ERROR_CLEARED' })}
        />
        {children}
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

  /** Every failure marks the boxes; a generic one has no message (specification, point 8). */
  function codeMessage(failure: FormError | undefined): ReactNode {
    if (!failure) return undefined;
    if (failure.kind === 'CodeRequired') return required;
    if (failure.kind !== 'InvalidMfaCode') return null;
    // Digits remain only after an incomplete code, which was not sent.
    return code === '' ? wrong : `${t('mfa.errors.invalidCodeHeading')} ${t('mfa.errors.codeIncomplete')}`;
  }
}

/** The digits entered so far. A failure clears a code that was sent; an incomplete one stays. */
function useCode(): { code: string; setCode: (code: string) => void } {
  const tries = useFlow((state) => state.errorsSeen);
  const [typed, setTyped] = useState({ code: '', tries });
  return {
    code: typed.tries === tries || typed.code.length < mfaCodeLength ? typed.code : '',
    setCode: (code) => setTyped({ code, tries }),
  };
}

/** Whether the user can declare a public computer: if the service allows it and the application does not disable it. */
function mayBePublicComputer({ secondFactor, context }: FlowState): boolean {
  return secondFactor.adaptiveMfa && !context?.loginFlowCustomizations?.publicComputerSignInDisabled;
}
