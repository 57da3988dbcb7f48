import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { PasswordField } from '../../ui/field/PasswordField.tsx';
import { ReadOnlyField } from '../../ui/field/ReadOnlyField.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { textOf } from '../form-data.ts';
import { useMetLines, PolicyList } from '../PolicyList.tsx';
import { PasswordsMatch, usePasswordsMatch } from '../PasswordsMatch.tsx';
import { describePolicy } from '../policy-text.ts';
import { ServiceWords } from '../ServiceWords.tsx';
import { emptyPasswords } from '../use-emptied-secrets.ts';
import { failureMessage } from '../failure-message.ts';
import styles from './recovery.module.css';
import { useRecoveryVisit } from './recovery-visit.ts';
import type { Submission } from './recovery-visit.ts';

type FieldName = 'newPassword' | 'newPasswordConfirmation';

interface Field {
  name: FieldName;
  label: MessageKey;
  required: MessageKey;
  /** The error code that is shown at this field, with its message. */
  code: string;
  failed: MessageKey;
}

const fields: readonly Field[] = [
  {
    name: 'newPassword',
    label: 'resetPassword.newPassword',
    required: 'resetPassword.errors.newPasswordRequired',
    code: 'invalid_new_password',
    failed: 'resetPassword.errors.invalidNewPassword',
  },
  {
    name: 'newPasswordConfirmation',
    label: 'resetPassword.newPasswordConfirmation',
    required: 'resetPassword.errors.newPasswordConfirmationRequired',
    code: 'passwords_do_not_match',
    failed: 'resetPassword.errors.passwordsDoNotMatch',
  },
];

interface NewPasswordFormProps {
  submission: Submission;
  onSubmit: (entered: Record<FieldName, string>) => void;
}

/** The new password, twice. The values exist only in the fields and are cleared after each failure. */
export function NewPasswordForm({ submission, onSubmit }: NewPasswordFormProps): ReactNode {
  const { t, find } = useLanguage();
  const { link } = useRecoveryVisit();
  const { isSending, failure, failures } = submission;
  const [missing, setMissing] = useState<readonly FieldName[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const policyId = useId();
  const isUnanswered = failure?.kind === 'unreachable';
  useEmptiedPasswords(form, failures, isUnanswered);

  const facts = link.state === 'open' ? link.facts : undefined;
  const { lines } = useMemo(() => describePolicy(facts?.passwordPolicy, find), [facts, find]);
  const { met, onType } = useMetLines(facts?.passwordPolicy, {
    refusals: failures,
    refusedLine: failure?.policyLine,
  });
  const { isMatch, onType: onTypeEither } = usePasswordsMatch(form, failures);
  const matchId = useId();
  const onTypeNewPassword = (password: string): void => {
    onType(password);
    onTypeEither();
  };

  const submit = (data: FormData): void => {
    const entered = {
      newPassword: textOf(data, 'newPassword'),
      newPasswordConfirmation: textOf(data, 'newPasswordConfirmation'),
    };
    const empty = fields.map(({ name }) => name).filter((name) => entered[name] === '');
    setMissing(empty);
    const [first] = empty;
    if (first) form.current?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
    else onSubmit(entered);
  };

  return (
    <>
      <Heading>{t('recovery.newPassword.heading')}</Heading>
      <Alert message={formMessage()} occurrence={failures} />
      <Form onSubmit={submit} ref={form}>
        {facts && <ReadOnlyField label={t('recovery.newPassword.account')} value={facts.userName} />}
        {lines.length > 0 && (
          <div className={styles.rules}>
            <PolicyList id={policyId} lines={lines} met={met} />
          </div>
        )}
        {fields.map((field) => (
          <PasswordField
            key={field.name}
            label={t(field.label)}
            name={field.name}
            autoComplete="new-password"
            error={fieldMessage(field)}
            isFormError={failure?.code === field.code}
            describedBy={describerOf(field.name)}
            onType={field.name === 'newPassword' ? onTypeNewPassword : onTypeEither}
          />
        ))}
        <PasswordsMatch id={matchId} isMatch={isMatch} />
        <FormActions>
          <SubmitButton isPending={isSending}>{t('recovery.newPassword.save')}</SubmitButton>
        </FormActions>
      </Form>
    </>
  );

  function formMessage(): string | undefined {
    const isAboutField = fields.some(({ code }) => code === failure?.code);
    return failure === undefined || isAboutField ? undefined : t(failureMessage(failure));
  }

  function describerOf(name: FieldName): string | undefined {
    if (name === 'newPasswordConfirmation') return matchId;
    return lines.length > 0 ? policyId : undefined;
  }

  function fieldMessage({ name, required, code, failed }: Field): ReactNode {
    // The confirmation now equals the new password.
    if (name === 'newPasswordConfirmation' && isMatch) return undefined;
    if (missing.includes(name)) return t(required);
    if (failure?.code !== code) return undefined;
    // The service names the violated rule in the visitor's language.
    const { description } = failure;
    return description === undefined ? t(failed) : <ServiceWords words={description} />;
  }
}

/**
 * Clears and focuses the passwords after each failure; without an answer they stay, to be sent again. Also clears them
 * when the page comes from the back/forward cache.
 */
function useEmptiedPasswords(
  form: { readonly current: HTMLFormElement | null },
  failures: number,
  isUnanswered: boolean,
): void {
  useLayoutEffect(() => {
    if (failures > 0 && !isUnanswered) emptyPasswords(form.current)[0]?.focus();
  }, [form, failures, isUnanswered]);

  useEffect(() => {
    const empty = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) emptyPasswords(form.current);
    };
    window.addEventListener('pageshow', empty);
    return () => window.removeEventListener('pageshow', empty);
  }, [form]);
}
