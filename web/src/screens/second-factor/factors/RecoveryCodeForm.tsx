import { findRecoveryCode } from '@anteroom/contract/typed-text';
import { useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.ts';
import { SubmitButton } from '../../../ui/button/Button.tsx';
import { TextField } from '../../../ui/field/TextField.tsx';
import { Form, FormActions } from '../../../ui/form/Form.tsx';
import { Description } from '../../../ui/text/Heading.tsx';
import { useFlow, useSend } from '../../flow-context.tsx';
import { textOf } from '../../form-data.ts';
import { useFocusAfterError } from '../../use-focus-after-error.ts';

/**
 * Requests a recovery code, which replaces the app's code and works once.
 * @param children content above the form
 */
export function RecoveryCodeForm({ children }: { children: ReactNode }): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const error = useFlow((state) => state.error);
  const [isIncomplete, setIncomplete] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const hintId = useId();
  useFocusAfterError(field);

  const enter = (data: FormData): void => {
    if (isLoading) return;
    const code = findRecoveryCode(textOf(data, 'recoveryCode'));
    setIncomplete(code === undefined);
    if (code !== undefined) send({ type: 'CODE_ENTERED', code, publicComputerSignIn: true });
    else field.current?.focus();
  };
  const isWrong = error?.kind === 'InvalidMfaCode';
  const message = isIncomplete
    ? t('authenticator.errors.recoveryCodeRequired')
    : isWrong
      ? t('authenticator.errors.invalidRecoveryCode')
      : undefined;

  return (
    <>
      <Description id={hintId}>
        <p>{t('authenticator.recoveryCodeHint')}</p>
      </Description>
      {children}
      <Form onSubmit={enter}>
        <TextField
          label={t('authenticator.recoveryCode')}
          name="recoveryCode"
          autoComplete="off"
          error={message}
          describedBy={hintId}
          ref={field}
        />
        <FormActions>
          <SubmitButton isPending={isLoading}>{t('common.continue')}</SubmitButton>
        </FormActions>
      </Form>
    </>
  );
}
