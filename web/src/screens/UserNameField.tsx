import { userNameMaximumLength } from '@anteroom/contract';
import type { ReactNode, Ref } from 'react';
import type { MessageKey } from '../i18n/keys.ts';
import { useLanguage } from '../i18n/language.ts';
import { TextField } from '../ui/field/TextField.tsx';

export type UserNameProblem = 'userNameRequired' | 'userNameTooLong';

/** The problem of a user name or e-mail address (specification, point 5). */
export function findUserNameProblem(userName: string): UserNameProblem | undefined {
  if (userName === '') return 'userNameRequired';
  return userName.length > userNameMaximumLength ? 'userNameTooLong' : undefined;
}

interface UserNameFieldProps {
  problem: UserNameProblem | undefined;
  /** See FieldMessage. */
  notice?: MessageKey | undefined;
  defaultValue: string | undefined;
  ref: Ref<HTMLInputElement>;
}

/** The field for the user name or e-mail address. */
export function UserNameField({ problem, notice, defaultValue, ref }: UserNameFieldProps): ReactNode {
  const { t } = useLanguage();
  return (
    <TextField
      label={t('login.userName')}
      name="userName"
      autoComplete="username"
      defaultValue={defaultValue}
      error={problem && t(`login.errors.${problem}`, { count: userNameMaximumLength })}
      notice={notice && t(notice)}
      ref={ref}
    />
  );
}
