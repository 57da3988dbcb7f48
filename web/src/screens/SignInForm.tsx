import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { knownUserName, suggestedUserName } from '../flow/context.ts';
import type { MessageKey } from '../i18n/keys.ts';
import { useLanguage } from '../i18n/language.ts';
import { SubmitButton } from '../ui/button/Button.tsx';
import { PasswordField } from '../ui/field/PasswordField.tsx';
import { ReadOnlyField } from '../ui/field/ReadOnlyField.tsx';
import { Form, FormActions } from '../ui/form/Form.tsx';
import { useFlow, useSend } from './flow-context.tsx';
import { ForgotCredentials } from './ForgotCredentials.tsx';
import { FormAlert } from './FormAlert.tsx';
import { nameOf, textOf } from './form-data.ts';
import { useEmptiedSecrets } from './use-emptied-secrets.ts';
import { findUserNameProblem, UserNameField } from './UserNameField.tsx';
import type { UserNameProblem } from './UserNameField.tsx';

interface SignInFormProps {
  /** The label of the button. */
  action: string;
  /** The value that a password manager filled in before the password was requested. */
  filledPassword?: string;
  /** Why no passkey was used. */
  notice?: MessageKey | undefined;
}

/** The form with the password, and the user name unless it is known. */
export function SignInForm({ action, filledPassword, notice }: SignInFormProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const isRefused = useFlow((state) => state.error?.kind === 'InvalidCredentials');
  const known = useFlow(knownUserName);
  const mayEnterUserName = useFlow((state) => state.context?.allowUserNameEntry ?? false);
  const suggested = useFlow(suggestedUserName);
  const [userNameProblem, setUserNameProblem] = useState<UserNameProblem>();
  const [isPasswordMissing, setPasswordMissing] = useState(false);
  const userName = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEmptiedSecrets(form);
  useLayoutEffect(() => {
    if (password.current && filledPassword) password.current.value = filledPassword;
  }, [filledPassword]);

  const asksForUserName = known === undefined && mayEnterUserName;

  const signIn = (data: FormData): void => {
    if (isLoading) return;
    const entered = { userName: nameOf(data, 'userName'), password: textOf(data, 'password') };
    const problem = asksForUserName ? findUserNameProblem(entered.userName) : undefined;
    const isMissing = entered.password === '';
    setUserNameProblem(problem);
    setPasswordMissing(isMissing);
    if (problem) userName.current?.focus();
    else if (isMissing) password.current?.focus();
    else send({ type: 'SIGN_IN', userName: known ?? entered.userName, password: entered.password });
  };

  return (
    <>
      <FormAlert />
      <Form onSubmit={signIn} ref={form}>
        {known !== undefined && <ReadOnlyField label={t('login.signedInAs')} value={known} />}
        {asksForUserName && (
          <UserNameField problem={userNameProblem} defaultValue={suggested} ref={userName} />
        )}
        <PasswordField
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          error={passwordMessage()}
          isFormError={isRefused}
          notice={notice && t(notice)}
          aside={<ForgotCredentials isShort />}
          ref={password}
        />
        <FormActions>
          <SubmitButton isPending={isLoading}>{action}</SubmitButton>
        </FormActions>
      </Form>
    </>
  );

  function passwordMessage(): string | undefined {
    if (isRefused) return t('login.errors.invalidCredentials');
    return isPasswordMissing ? t('login.errors.passwordRequired') : undefined;
  }
}
