import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { suggestedUserName } from '../../flow/context.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { SubmitButton } from '../../ui/button/Button.tsx';
import styles from '../../ui/text/text.module.css';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { ForgotCredentials } from '../ForgotCredentials.tsx';
import { findUserNameProblem, UserNameField } from '../UserNameField.tsx';
import type { UserNameProblem } from '../UserNameField.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { nameOf, textOf } from '../form-data.ts';
import { useFocusAfterError } from '../use-focus-after-error.ts';

interface UserNameFormProps {
  /** Called with the value that a password manager put into the hidden field. */
  keepPassword: (password: string) => void;
  /** Why no passkey was used. */
  notice: MessageKey | undefined;
}

/** The user name alone, to find out whether an external provider signs the user in. */
export function UserNameForm({ keepPassword, notice }: UserNameFormProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const suggested = useFlow(suggestedUserName);
  const [problem, setProblem] = useState<UserNameProblem>();
  const field = useRef<HTMLInputElement>(null);
  useFocusAfterError(field);

  const goOn = (data: FormData): void => {
    const usernameOrEmail = nameOf(data, 'userName');
    const found = findUserNameProblem(usernameOrEmail);
    setProblem(found);
    keepPassword(textOf(data, 'password'));
    if (found) field.current?.focus();
    else send({ type: 'USER_NAME_ENTERED', usernameOrEmail });
  };

  return (
    <Form onSubmit={goOn}>
      <UserNameField problem={problem} notice={notice} defaultValue={suggested} ref={field} />
      <FormActions>
        <HiddenPasswordField />
        <SubmitButton isPending={isLoading}>{t('common.continue')}</SubmitButton>
        <ForgotCredentials />
      </FormActions>
    </Form>
  );
}

/** A password field only for password managers, on the step with the user name alone (specification, point 2). */
function HiddenPasswordField(): ReactNode {
  return (
    <div className={styles.hidden} aria-hidden="true">
      <input name="password" type="password" autoComplete="current-password" tabIndex={-1} />
    </div>
  );
}
