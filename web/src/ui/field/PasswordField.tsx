import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { LiveRegion } from '../text/LiveRegion.tsx';
import { FieldMessage } from './FieldMessage.tsx';
import type { FieldProps } from './TextField.tsx';
import styles from './field.module.css';

interface PasswordFieldProps extends FieldProps {
  autoComplete: 'current-password' | 'new-password';
  /** The error is the service's error about the whole form (see FieldMessage). */
  isFormError?: boolean | undefined;
  /** Content at the end of the label's line. */
  aside?: ReactNode;
  /** Called with the value on each input. */
  onType?: ((password: string) => void) | undefined;
}

/**
 * A password field with a button that shows the value. The value exists only in the input, never in state or in an
 * attribute.
 */
export function PasswordField(props: PasswordFieldProps): ReactNode {
  const { label, name, error, isFormError, notice, ref, autoComplete, describedBy, aside, onType } = props;
  const { t } = useLanguage();
  const id = useId();
  const [isShown, setShown] = useState<boolean>();
  const [hasCapsLock, setCapsLock] = useState(false);
  const readCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  const capsLock = hasCapsLock ? t('password.capsLock') : undefined;
  const messageId = `${id}-message`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.frame}>
        <input
          className={`${styles.input} ${styles.withButton}`}
          id={id}
          ref={ref}
          name={name}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          // The direction follows the password, not the page; Arabic letters still join.
          dir="auto"
          onKeyDown={readCapsLock}
          onKeyUp={readCapsLock}
          onBlur={() => setCapsLock(false)}
          onInput={onType && (({ currentTarget }) => onType(currentTarget.value))}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy ? `${messageId} ${describedBy}` : messageId}
        />
        <button
          className={styles.inField}
          type="button"
          data-action="show-password"
          aria-label={t(isShown ? 'password.hide' : 'password.show')}
          aria-controls={id}
          onClick={() => setShown((shown) => !shown)}
        >
          <InlineIcon name={isShown ? 'eye-off' : 'eye'} />
        </button>
      </div>
      <LiveRegion
        message={
          capsLock ?? (isShown === undefined ? undefined : t(isShown ? 'password.shown' : 'password.hidden'))
        }
      />
      {/* After the input in the order of the focus, because few visitors need it. */}
      {aside && <div className={styles.aside}>{aside}</div>}
      <FieldMessage
        id={messageId}
        name={name}
        error={error}
        isFormError={isFormError}
        notice={notice}
        hint={capsLock}
      />
    </div>
  );
}
