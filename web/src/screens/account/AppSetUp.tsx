import { mfaCodeLength } from '@anteroom/contract';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/field/TextField.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { AppEnrolment } from '../AppEnrolment.tsx';
import type { OfferedApp } from '../AppEnrolment.tsx';
import styles from '../app-enrolment.module.css';
import { textOf } from '../form-data.ts';
import { useAccount } from './account-context.ts';

const oneTimeCode = new RegExp(`^[0-9]{${mfaCodeLength}}$`);

export interface AppSetUpProps {
  offer: OfferedApp;
  onClose: () => void;
}

/** Sets an authenticator app up: it is scanned, the recovery codes are kept, and its first code is entered. */
export function AppSetUp({ offer, onClose }: AppSetUpProps): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const [error, setError] = useState<{ message: string; occurrence: number }>();
  const place = useRef<HTMLDivElement>(null);
  const wordsId = useId();
  const field = useRef<HTMLInputElement>(null);
  const occurrence = error?.occurrence;
  useLayoutEffect(() => {
    if (field.current) field.current.inputMode = 'numeric';
    place.current?.focus();
  }, []);
  useLayoutEffect(() => {
    if (occurrence !== undefined) field.current?.focus();
  }, [occurrence]);

  const fail = (message: string): void =>
    setError((before) => ({ message, occurrence: (before?.occurrence ?? 0) + 1 }));
  const enter = async (data: FormData): Promise<void> => {
    const code = textOf(data, 'code').replaceAll(/\s/g, '');
    if (!oneTimeCode.test(code)) return fail(t('authenticator.errors.codeRequired'));
    const made = await changes.make(() => api.change('setUpAuthenticatorApp', { code }), {
      done: 'account.app.done',
      failed: (failure) => {
        if (failure.code !== 'invalid_credentials') return false;
        if (field.current) field.current.value = '';
        fail(t('authenticator.errors.invalidCode'));
        return true;
      },
    });
    if (made) onClose();
  };

  return (
    <div ref={place} tabIndex={-1}>
      <AppEnrolment {...offer} why={t('account.app.why')} />
      <p className={styles.step} id={wordsId}>
        {t('authenticator.enter')}
      </p>
      <Form onSubmit={(data) => void enter(data)}>
        <TextField
          label={t('mfa.code')}
          name="code"
          autoComplete="one-time-code"
          describedBy={wordsId}
          error={error?.message}
          ref={field}
        />
        <FormActions>
          <SubmitButton isPending={changes.isSending}>{t('common.continue')}</SubmitButton>
          <ActionButton action="cancel" onPress={onClose}>
            {t('common.cancel')}
          </ActionButton>
        </FormActions>
      </Form>
    </div>
  );
}
