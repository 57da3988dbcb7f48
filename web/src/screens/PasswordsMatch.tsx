import { useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { InlineIcon } from '../ui/icon/InlineIcon.tsx';
import styles from './passwords-match.module.css';

interface TypedTwice {
  isMatch: boolean;
  /** Called on each input in both new-password fields. The passwords are not stored. */
  onType: () => void;
}

/**
 * Whether the new password equals its confirmation, while the visitor types. A hint only: the service decides.
 * @param refusals increases with each rejection that clears the fields
 */
export function usePasswordsMatch(form: RefObject<HTMLFormElement | null>, refusals: number): TypedTwice {
  const [typed, setTyped] = useState({ refusals, isMatch: false });
  const valueOf = (name: string): string | undefined =>
    form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value;
  return {
    isMatch: typed.isMatch && typed.refusals === refusals,
    onType: () => {
      const password = valueOf('newPassword');
      setTyped({ refusals, isMatch: !!password && password === valueOf('newPasswordConfirmation') });
    },
  };
}

/** Uses the message line of the confirmation field, which has no message then, so that nothing shifts. */
export function PasswordsMatch({ id, isMatch }: { id: string; isMatch: boolean }): ReactNode {
  const { t } = useLanguage();
  return (
    <div className={styles.match} id={id} aria-live="polite">
      {isMatch && (
        <>
          <InlineIcon name="check" />
          <span>{t('resetPassword.match')}</span>
        </>
      )}
    </div>
  );
}
