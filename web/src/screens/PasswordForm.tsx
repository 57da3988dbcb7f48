import { useId, useState } from 'react';
import type { FocusEvent, ReactNode, RefObject } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { SubmitButton } from '../ui/button/Button.tsx';
import { PasswordField } from '../ui/field/PasswordField.tsx';
import { Form } from '../ui/form/Form.tsx';
import { InlineIcon } from '../ui/icon/InlineIcon.tsx';
import { ButtonRow } from './ButtonRow.tsx';
import { textOf } from './form-data.ts';
import styles from './password-form.module.css';
import type { PasswordRules } from './use-password-rules.tsx';
import { UntrustedText } from './UntrustedText.tsx';

/** The fields, with the message of a value that the service has rejected (specification, point 8). */
const rejectedTexts = {
  currentPassword: 'resetPassword.errors.invalidCredentials',
  newPassword: 'resetPassword.errors.invalidNewPassword',
  newPasswordConfirmation: 'resetPassword.errors.passwordsDoNotMatch',
} as const;
export type PasswordName = keyof typeof rejectedTexts;

interface PasswordFormProps<TName extends PasswordName> {
  form: RefObject<HTMLFormElement | null>;
  /** The fields in their order. */
  names: readonly TName[];
  /** The field whose value the service has rejected. */
  rejected: PasswordName | undefined;
  /** The service's text about the rejected new password. */
  description: string | undefined;
  /** Increases with each rejection that clears the fields. */
  refusals: number;
  rules: PasswordRules;
  isPending: boolean;
  submitLabel: string;
  onSubmit: (entered: Record<TName, string>) => void;
  cancel?: ReactNode;
  /** Content above the fields. */
  children: ReactNode;
}

/** The form for a new password, typed twice, and for the current password if it is needed. */
export function PasswordForm<TName extends PasswordName>(props: PasswordFormProps<TName>): ReactNode {
  const { form, names, rejected, description, refusals, rules } = props;
  const { isPending, submitLabel, onSubmit, cancel, children } = props;
  const { t } = useLanguage();
  const [missing, setMissing] = useState<readonly PasswordName[]>([]);
  const { isMatch, didDiffer, isLeftDifferent, onType, onLeave } = useTyped(form, refusals);
  const matchId = useId();
  const describers: Partial<Record<PasswordName, string | undefined>> = {
    newPassword: rules.listId,
    newPasswordConfirmation: matchId,
  };

  /** The service rejects for one reason; the page knows these others of the rejected passwords. */
  const faults: Partial<Record<PasswordName, boolean>> = {
    newPassword: rejected !== undefined && rules.isBroken,
    newPasswordConfirmation: isLeftDifferent || (rejected !== undefined && didDiffer),
  };

  const submit = (data: FormData): void => {
    if (isPending) return;
    const empty = names.filter((name) => textOf(data, name) === '');
    setMissing(empty);
    const [first] = empty;
    if (first) return findField(form, first)?.focus();
    onSubmit(Object.fromEntries(names.map((name) => [name, textOf(data, name)])) as Record<TName, string>);
  };

  const messageAt = (name: PasswordName): ReactNode => {
    // The confirmation now equals the new password.
    if (name === 'newPasswordConfirmation' && isMatch) return undefined;
    if (missing.includes(name)) return t(`resetPassword.errors.${name}Required`);
    if (name !== rejected && !faults[name]) return undefined;
    // The service names the violated rule in the visitor's language (NIST SP 800-63B-4, 3.1.1.2 requires the reason).
    return name === rejected && name === 'newPassword' && description ? (
      <UntrustedText text={description} />
    ) : (
      t(rejectedTexts[name])
    );
  };

  const drawField = (name: PasswordName): ReactNode => (
    <PasswordField
      key={name}
      label={t(`passwordChange.${name}`)}
      name={name}
      autoComplete={name === 'currentPassword' ? 'current-password' : 'new-password'}
      error={messageAt(name)}
      isPresent={name === 'newPasswordConfirmation' && isLeftDifferent}
      isFormError={name === rejected}
      describedBy={describers[name]}
      above={name === 'newPassword' && rules.list && <div className={styles.rules}>{rules.list}</div>}
      onInput={({ currentTarget }) => {
        if (name === 'newPassword') rules.onType(currentTarget.value);
        onType(name);
      }}
    />
  );

  return (
    <Form onSubmit={submit} ref={form}>
      {children}
      <div className={styles.fields} onBlur={onLeave}>
        {names.map(drawField)}
        <PasswordsMatch id={matchId} isMatch={isMatch && !rules.isBroken} />
      </div>
      <ButtonRow>
        <SubmitButton isPending={isPending}>{submitLabel}</SubmitButton>
        {cancel}
      </ButtonRow>
    </Form>
  );
}

function findField(form: RefObject<HTMLFormElement | null>, name: PasswordName): HTMLInputElement | null {
  return form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? null;
}

interface Typed {
  isMatch: boolean;
  /** The passwords of the last rejection differed. */
  didDiffer: boolean;
  /** The passwords differ, and the visitor has left the confirmation. */
  isLeftDifferent: boolean;
  /** Called on each input. The passwords are not stored. */
  onType: (name: PasswordName) => void;
  onLeave: (event: FocusEvent) => void;
}

/** Whether the new password equals its confirmation while the visitor types. A hint only: the service decides. */
function useTyped(form: RefObject<HTMLFormElement | null>, refusals: number): Typed {
  const [last, setTyped] = useState({
    refusals,
    isMatch: undefined as boolean | undefined,
    didDiffer: false,
    isLeft: false,
  });
  const typed =
    last.refusals === refusals
      ? last
      : { refusals, isMatch: undefined, didDiffer: last.isMatch === false, isLeft: false };
  return {
    isMatch: typed.isMatch === true,
    didDiffer: typed.didDiffer,
    isLeftDifferent: typed.isLeft && typed.isMatch === false,
    onType: (name) => {
      const password = findField(form, 'newPassword')?.value;
      const isMatch = !!password && password === findField(form, 'newPasswordConfirmation')?.value;
      const isLeft = typed.isLeft && name !== 'newPasswordConfirmation';
      setTyped({ ...typed, isMatch, isLeft });
    },
    onLeave: ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.name !== 'newPasswordConfirmation') return;
      setTyped({ ...typed, isLeft: target.value !== '' });
    },
  };
}

/**
 * States that the passwords match. Appears in the message line of the confirmation field, which is then empty, so that
 * nothing shifts.
 */
function PasswordsMatch({ id, isMatch }: { id: string; isMatch: boolean }): ReactNode {
  const { t } = useLanguage();
  return (
    <div className={styles.match} id={id} aria-live="polite">
      {isMatch && (
        <>
          <InlineIcon name="check" />
          <span>{t('passwordChange.match')}</span>
        </>
      )}
    </div>
  );
}
