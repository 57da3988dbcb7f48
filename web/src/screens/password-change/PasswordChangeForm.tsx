import { useId, useRef, useState } from 'react';
import type { ComponentProps, ReactNode, RefObject } from 'react';
import { knownUserName } from '../../flow/context.ts';
import type { FormError, FormErrorKind } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { PasswordField } from '../../ui/field/PasswordField.tsx';
import styles from '../../ui/field/field.module.css';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { PasswordsMatch, usePasswordsMatch } from '../PasswordsMatch.tsx';
import { ServiceWords } from '../ServiceWords.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { textOf } from '../form-data.ts';
import { useEmptiedSecrets } from '../use-emptied-secrets.ts';

type FieldName = 'currentPassword' | 'newPassword' | 'newPasswordConfirmation';

interface Field {
  name: FieldName;
  label: MessageKey;
  autoComplete: 'current-password' | 'new-password';
  required: MessageKey;
  /** The failure that is shown at this field, with its message (specification, point 8). */
  failure: FormErrorKind;
  failed: MessageKey;
}

const fields: readonly Field[] = [
  {
    name: 'currentPassword',
    label: 'resetPassword.currentPassword',
    autoComplete: 'current-password',
    required: 'resetPassword.errors.currentPasswordRequired',
    failure: 'InvalidCredentials',
    failed: 'resetPassword.errors.invalidCredentials',
  },
  {
    name: 'newPassword',
    label: 'resetPassword.newPassword',
    autoComplete: 'new-password',
    required: 'resetPassword.errors.newPasswordRequired',
    failure: 'InvalidNewPassword',
    failed: 'resetPassword.errors.invalidNewPassword',
  },
  {
    name: 'newPasswordConfirmation',
    label: 'resetPassword.newPasswordConfirmation',
    autoComplete: 'new-password',
    required: 'resetPassword.errors.newPasswordConfirmationRequired',
    failure: 'PasswordsDoNotMatch',
    failed: 'resetPassword.errors.passwordsDoNotMatch',
  },
];

/** Failures that are shown for the whole form. */
const formMessages: Partial<Record<FormErrorKind, MessageKey>> = {
  SiteRequiresMfa: 'mfa.errors.notConfigured',
  MfaInvalidPhoneNumber: 'mfa.errors.invalidPhoneNumber',
};

interface PasswordChangeFormProps {
  /** The id of the list of password rules, if any. */
  policyId: string | undefined;
  onTypeNewPassword: (password: string) => void;
}

/** The current password, the new one, and the new one again. */
export function PasswordChangeForm({ policyId, onTypeNewPassword }: PasswordChangeFormProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const error = useFlow((state) => state.error);
  const userName = useFlow(knownUserName);
  const [missing, setMissing] = useState<readonly FieldName[]>([]);
  const inputs = useFieldRefs();
  const form = useRef<HTMLFormElement>(null);
  useEmptiedSecrets(form);
  const refusals = useFlow((state) => state.errorsSeen);
  const { isMatch, onType } = usePasswordsMatch(form, refusals);
  const matchId = useId();

  const changePassword = (data: FormData): void => {
    if (isLoading) return;
    const entered = {
      currentPassword: textOf(data, 'currentPassword'),
      newPassword: textOf(data, 'newPassword'),
      newPasswordConfirmation: textOf(data, 'newPasswordConfirmation'),
    };
    const empty = fields.map(({ name }) => name).filter((name) => entered[name] === '');
    setMissing(empty);
    const [first] = empty;
    if (first) inputs[first].current?.focus();
    else send({ type: 'RESET_PASSWORD', ...entered });
  };

  return (
    <>
      <Alert message={formMessage(error)} occurrence={error?.occurrence ?? 0} />
      <Form onSubmit={changePassword} ref={form}>
        {userName !== undefined && <HiddenUserNameField value={userName} />}
        {fields.map((field) => (
          <PasswordField
            key={field.name}
            label={t(field.label)}
            name={field.name}
            autoComplete={field.autoComplete}
            error={fieldMessage(field)}
            isFormError={error?.kind === field.failure}
            {...adviceFor(field.name)}
            ref={inputs[field.name]}
          />
        ))}
        <PasswordsMatch id={matchId} isMatch={isMatch} />
        <FormActions>
          <SubmitButton isPending={isLoading}>{t('resetPassword.reset')}</SubmitButton>
          <Button
            action="cancel"
            variant="secondary"
            onPress={() => send({ type: 'CANCEL_PASSWORD_CHANGE' })}
          >
            {t('common.cancel')}
          </Button>
        </FormActions>
      </Form>
    </>
  );

  function adviceFor(name: FieldName): Pick<ComponentProps<typeof PasswordField>, 'describedBy' | 'onType'> {
    if (name === 'currentPassword') return {};
    if (name === 'newPasswordConfirmation') return { describedBy: matchId, onType };
    return {
      describedBy: policyId,
      onType: (password) => {
        onTypeNewPassword(password);
        onType();
      },
    };
  }

  function fieldMessage({ name, required, failure, failed }: Field): ReactNode {
    // The confirmation now equals the new password.
    if (name === 'newPasswordConfirmation' && isMatch) return undefined;
    // The service names the violated rule in the visitor's language (NIST SP 800-63B-4, 3.1.1.2 requires the reason).
    if (error?.kind === 'InvalidNewPassword' && failure === error.kind && error.description)
      return <ServiceWords words={error.description} />;
    if (error?.kind === failure) return t(failed);
    return missing.includes(name) ? t(required) : undefined;
  }

  function formMessage(failure: FormError | undefined): ReactNode {
    if (!failure) return undefined;
    const { kind, description } = failure;
    const key = formMessages[kind];
    if (key === undefined) return undefined;
    return (
      <>
        <p>{t(key)}</p>
        {kind === 'MfaInvalidPhoneNumber' && description && <ServiceWords words={description} />}
      </>
    );
  }
}

function useFieldRefs(): Record<FieldName, RefObject<HTMLInputElement | null>> {
  return {
    currentPassword: useRef<HTMLInputElement>(null),
    newPassword: useRef<HTMLInputElement>(null),
    newPasswordConfirmation: useRef<HTMLInputElement>(null),
  };
}

/** Tells password managers whose password is being changed. Hidden from users and screen readers. */
function HiddenUserNameField({ value }: { value: string }): ReactNode {
  return (
    <div className={styles.hidden} aria-hidden="true">
      <input name="userName" value={value} autoComplete="username" tabIndex={-1} readOnly />
    </div>
  );
}
