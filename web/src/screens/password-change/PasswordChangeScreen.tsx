import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { knownUserName } from '../../flow/context.ts';
import type { FormErrorKind } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button/Button.tsx';
import styles from '../../ui/text/text.module.css';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { FormAlert } from '../FormAlert.tsx';
import { PasswordForm } from '../PasswordForm.tsx';
import type { PasswordName } from '../PasswordForm.tsx';
import { SiteHeading } from '../SiteHeading.tsx';
import { usePasswordRules } from '../use-password-rules.tsx';
import { useEmptiedSecrets } from '../use-emptied-secrets.ts';
import { useLeftStep } from '../use-left-step.ts';

const names = ['currentPassword', 'newPassword', 'newPasswordConfirmation'] as const;

/** Failures that are shown at a field (specification, point 8). */
const rejections: Partial<Record<FormErrorKind, PasswordName>> = {
  InvalidCredentials: 'currentPassword',
  InvalidNewPassword: 'newPassword',
  PasswordsDoNotMatch: 'newPasswordConfirmation',
};

/** A required or voluntary password change. */
export function PasswordChangeScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isRequired = useFlow((state) => state.page === 'password-reset-required');
  useLeftStep();
  const isLoading = useFlow((state) => state.loading);
  const userName = useFlow(knownUserName);
  const policy = useFlow((state) => state.passwordPolicy ?? state.context?.passwordPolicy);
  const error = useFlow((state) => state.error);
  const refusals = useFlow((state) => state.errorsSeen);
  const rules = usePasswordRules(policy, { refusals, refusedLine: error?.policyLine });
  const { missing } = rules;
  useEffect(() => {
    for (const what of missing) send({ type: 'TEXT_MISSING', what });
  }, [missing, send]);
  const form = useRef<HTMLFormElement>(null);
  useEmptiedSecrets(form);
  return (
    <>
      {isRequired ? (
        <SiteHeading>{t('passwordChange.headingRequired')}</SiteHeading>
      ) : (
        <Heading>{t('passwordChange.headingVoluntary')}</Heading>
      )}
      {isRequired && (
        <Description>
          <p>{t('passwordChange.descriptionRequired')}</p>
        </Description>
      )}
      <FormAlert />
      <PasswordForm
        form={form}
        names={names}
        rejected={error && rejections[error.kind]}
        description={error?.description}
        refusals={refusals}
        rules={rules}
        isPending={isLoading}
        submitLabel={t('passwordChange.reset')}
        onSubmit={(entered) => send({ type: 'RESET_PASSWORD', ...entered })}
        cancel={
          <Button
            action="cancel"
            variant="secondary"
            onPress={() => send({ type: 'CANCEL_PASSWORD_CHANGE' })}
          >
            {t('common.cancel')}
          </Button>
        }
      >
        {userName !== undefined && <HiddenUserNameField value={userName} />}
      </PasswordForm>
    </>
  );
}

/** Tells password managers whose password is being changed. Hidden from users and screen readers. */
function HiddenUserNameField({ value }: { value: string }): ReactNode {
  return (
    <div className={styles.hidden} aria-hidden="true">
      <input name="userName" value={value} autoComplete="username" tabIndex={-1} readOnly />
    </div>
  );
}
