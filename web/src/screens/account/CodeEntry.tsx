import { mfaCodeLength } from '@anteroom/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { CodeBoxes } from '../../ui/code-boxes/CodeBoxes.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { ButtonRow } from '../ButtonRow.tsx';
import { useProblem } from '../use-problem.ts';
import { useAccount } from './account-context.ts';

interface CodeEntryProps {
  /** The id of the element that says where the code comes from. */
  describedBy: string;
  /** The message if no digit was entered. */
  required: MessageKey;
  /** `refuse` clears the boxes and shows a message of one or more sentences. */
  onEnter: (code: string, refuse: (...sentences: MessageKey[]) => void) => void;
  onCancel: () => void;
  /** Content beside the boxes: the resend button. */
  children?: ReactNode;
}

/** The code boxes of the sign-in, for a code that the account page requests. */
export function CodeEntry({ describedBy, required, onEnter, onCancel, children }: CodeEntryProps): ReactNode {
  const { t, sentences } = useLanguage();
  const { isSending } = useAccount().changes;
  const [code, setCode] = useState('');
  const error = useProblem<readonly MessageKey[]>();

  const enter = (): void => {
    if (isSending) return;
    if (code === '') return error.show([required]);
    if (code.length < mfaCodeLength) return error.show(['mfa.errors.codeIncomplete']);
    onEnter(code, (...sentences) => {
      setCode('');
      error.show(sentences);
    });
  };

  return (
    <Form onSubmit={enter}>
      <CodeBoxes
        label={t('secondFactor.code')}
        length={mfaCodeLength}
        code={code}
        onChange={setCode}
        describedBy={describedBy}
        error={error.message && sentences(...error.message)}
        errorOccurrence={error.occurrence || undefined}
        onErrorRead={error.clear}
      />
      {children}
      <ButtonRow>
        <SubmitButton isPending={isSending}>{t('common.continue')}</SubmitButton>
        <Button action="cancel" variant="secondary" onPress={onCancel}>
          {t('common.cancel')}
        </Button>
      </ButtonRow>
    </Form>
  );
}
