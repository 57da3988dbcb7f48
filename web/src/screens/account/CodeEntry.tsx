import { mfaCodeLength } from '@anteroom/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { CodeBoxes } from '../../ui/code-boxes/CodeBoxes.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { useAccount } from './account-context.ts';

interface CodeEntryProps {
  /** The id of what says where the code comes from. */
  describedBy: string;
  /** What is said when no digit was entered. */
  required: string;
  /** `refuse` empties the boxes and says why. */
  onEnter: (code: string, refuse: (message: string) => void) => void;
  onCancel: () => void;
  /** Beside the boxes: another code. */
  children?: ReactNode;
}

/** The six boxes of the code step, for a code that the account page asks for. */
export function CodeEntry({ describedBy, required, onEnter, onCancel, children }: CodeEntryProps): ReactNode {
  const { t } = useLanguage();
  const { isSending } = useAccount().changes;
  const [code, setCode] = useState('');
  const [error, setError] = useState<{ message: string | undefined; occurrence: number }>();
  const fail = (message: string): void =>
    setError((before) => ({ message, occurrence: (before?.occurrence ?? 0) + 1 }));

  const enter = (): void => {
    if (isSending) return;
    if (code === '') return fail(required);
    if (code.length < mfaCodeLength) return fail(t('mfa.errors.codeIncomplete'));
    onEnter(code, (message) => {
      setCode('');
      fail(message);
    });
  };

  return (
    <Form onSubmit={enter}>
      <CodeBoxes
        label={t('mfa.code')}
        length={mfaCodeLength}
        code={code}
        onChange={setCode}
        describedBy={describedBy}
        error={error?.message}
        errorOccurrence={error?.occurrence}
        onErrorRead={() => setError((before) => before && { ...before, message: undefined })}
      />
      {children}
      <FormActions>
        <SubmitButton isPending={isSending}>{t('common.continue')}</SubmitButton>
        <ActionButton action="cancel" onPress={onCancel}>
          {t('common.cancel')}
        </ActionButton>
      </FormActions>
    </Form>
  );
}
