import { mfaCodeLength } from '@anteroom/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FlowState, FormError, MessageFactor } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { Checkbox } from '../../ui/checkbox/Checkbox.tsx';
import { CodeBoxes } from '../../ui/code-boxes/CodeBoxes.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { useFlow, useSend } from '../flow-context.tsx';

interface CodeFormProps {
  /** The messages for no digits and for a wrong code. */
  required: string;
  wrong: string;
  /** The id of the element that says where the code comes from. */
  describedBy: string;
  factor?: MessageFactor | 'totp' | undefined;
  /** Content below the boxes: the resend button. */
  children?: ReactNode;
}

/** The code boxes, and the checkbox for a public computer. */
export function CodeForm({ required, wrong, describedBy, factor, children }: CodeFormProps): ReactNode {
  const { t, sentences } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const error = useFlow((state) => state.error);
  const offersPublicComputer = useFlow(mayBePublicComputer);
  const [isPublicComputer, setPublicComputer] = useState(false);
  const { code, setCode } = useCode();
  const [wasIncomplete, setIncomplete] = useState(false);

  const enterCode = (): void => {
    if (isLoading) return;
    const publicComputerSignIn = offersPublicComputer && isPublicComputer;
    setIncomplete(code.length < mfaCodeLength);
    if (code.length === mfaCodeLength) send({ type: 'CODE_ENTERED', code, publicComputerSignIn, factor });
    else send({ type: 'CODE_INCOMPLETE', empty: code === '' });
  };

  return (
    <Form onSubmit={enterCode}>
      <CodeBoxes
        label={t('secondFactor.code')}
        length={mfaCodeLength}
        code={code}
        onChange={setCode}
        describedBy={describedBy}
        error={codeMessage(error)}
        errorOccurrence={error?.occurrence}
        onErrorRead={() => error && send({ type: 'CODE_ERROR_CLEARED' })}
      >
        {children}
      </CodeBoxes>
      {offersPublicComputer && (
        <Checkbox
          label={t('secondFactor.publicComputer')}
          hint={t('secondFactor.publicComputerHint')}
          name="publicComputerSignIn"
          isChecked={isPublicComputer}
          onChange={setPublicComputer}
        />
      )}
      <FormActions>
        <SubmitButton isPending={isLoading}>{t('common.continue')}</SubmitButton>
      </FormActions>
    </Form>
  );

  /** Every failure marks the boxes; a generic one has no message (specification, point 8). */
  function codeMessage(failure: FormError | undefined): ReactNode {
    if (!failure) return undefined;
    if (failure.kind === 'CodeRequired') return required;
    if (failure.kind !== 'InvalidMfaCode') return null;
    return wasIncomplete ? sentences('mfa.errors.invalidCodeHeading', 'mfa.errors.codeIncomplete') : wrong;
  }
}

/** The digits entered so far. A failure clears a code that was sent; an incomplete one stays. A new code clears all. */
function useCode(): { code: string; setCode: (code: string) => void } {
  const tries = useFlow((state) => state.errorsSeen);
  const sent = useFlow(countResent);
  const [typed, setTyped] = useState({ code: '', tries, sent });
  const isKept = typed.sent === sent && (typed.tries === tries || typed.code.length < mfaCodeLength);
  return {
    code: isKept ? typed.code : '',
    setCode: (code) => setTyped({ code, tries, sent }),
  };
}

function countResent({ secondFactor: { messages } }: FlowState): number {
  return messages.sms.codesResent + messages.email.codesResent;
}

/** Whether the user can declare a public computer: if the service allows it and the application does not disable it. */
function mayBePublicComputer({ secondFactor, context }: FlowState): boolean {
  return secondFactor.adaptiveMfa && !context?.loginFlowCustomizations?.publicComputerSignInDisabled;
}
