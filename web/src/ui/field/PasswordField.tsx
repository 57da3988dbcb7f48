import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { LiveRegion } from '../text/LiveRegion.tsx';
import { TextField } from './TextField.tsx';
import type { FieldProps } from './TextField.tsx';
import styles from './field.module.css';

interface PasswordFieldProps extends FieldProps {
  autoComplete: 'current-password' | 'new-password';
}

/**
 * A password field with a button that shows the value. The value exists only in the input, never in state or in an
 * attribute.
 */
export function PasswordField(props: PasswordFieldProps): ReactNode {
  const { t } = useLanguage();
  const [isShown, setShown] = useState<boolean>();
  const [hasCapsLock, setCapsLock] = useState(false);
  const readCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  const capsLock = hasCapsLock ? t('password.capsLock') : undefined;
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      onKeyDown={readCapsLock}
      onKeyUp={readCapsLock}
      onBlur={() => setCapsLock(false)}
      hint={capsLock}
    >
      <button
        className={styles.inField}
        type="button"
        data-action="show-password"
        aria-label={t(isShown ? 'password.hide' : 'password.show')}
        onClick={() => setShown((shown) => !shown)}
      >
        <InlineIcon name={isShown ? 'eye-off' : 'eye'} />
      </button>
      <LiveRegion
        message={
          capsLock ?? (isShown === undefined ? undefined : t(isShown ? 'password.shown' : 'password.hidden'))
        }
      />
    </TextField>
  );
}
