import type { ErrorCode } from '@anteroom/contract';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ReadOnlyField } from '../../ui/field/ReadOnlyField.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { failureText } from '../failure-message.ts';
import { PasswordForm } from '../PasswordForm.tsx';
import { usePasswordRules } from '../use-password-rules.tsx';
import { emptyPasswords } from '../use-emptied-secrets.ts';
import { useRecoveryVisit } from './recovery-visit.ts';
import type { Submission } from './recovery-visit.ts';

const names = ['newPassword', 'newPasswordConfirmation'] as const;
type Name = (typeof names)[number];

/** The error codes that are shown at a field. */
const rejections: Partial<Record<ErrorCode, Name>> = {
  invalid_new_password: 'newPassword',
  passwords_do_not_match: 'newPasswordConfirmation',
};

interface NewPasswordFormProps {
  submission: Submission;
  onSubmit: (entered: Record<Name, string>) => void;
}

/** The new password, twice. The values exist only in the fields and are cleared after each failure. */
export function NewPasswordForm({ submission, onSubmit }: NewPasswordFormProps): ReactNode {
  const { t } = useLanguage();
  const { link } = useRecoveryVisit();
  const { isSending, failure, failures } = submission;
  const form = useRef<HTMLFormElement>(null);
  useEmptiedPasswords(form, failures, failure?.kind === 'unreachable');

  const facts = link.state === 'open' ? link.facts : undefined;
  const rules = usePasswordRules(facts?.passwordPolicy, {
    refusals: failures,
    refusedLine: failure?.policyLine,
  });
  const rejected = failure?.code && rejections[failure.code];

  return (
    <>
      <Heading>{t('recovery.newPassword.heading')}</Heading>
      <Alert message={rejected ? undefined : failure && failureText(failure, t)} occurrence={failures} />
      <PasswordForm
        form={form}
        names={names}
        rejected={rejected}
        description={failure?.description}
        refusals={failures}
        rules={rules}
        isPending={isSending}
        submitLabel={t('recovery.newPassword.save')}
        onSubmit={onSubmit}
      >
        {facts && <ReadOnlyField label={t('recovery.newPassword.account')} value={facts.userName} />}
      </PasswordForm>
    </>
  );
}

/**
 * Clears and focuses the password fields after each failure, except if there was no answer: the visitor can then send
 * them again. Also clears them when the page comes from the back/forward cache.
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
