import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './second-factor.module.css';

/**
 * Whose code is asked for, and the way to begin again. The name is what was typed in this page, never one that the service alone knows: whoever
 * has a password must not learn the address that it belongs to.
 */
export function SigningInAs(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const typed = useFlow(({ context, enteredUserName }) =>
    context?.userName === undefined ? enteredUserName : undefined,
  );
  return (
    <div className={styles.account}>
      {typed !== undefined && (
        <p>
          {t('login.signedInAs')} <bdi className={styles.name}>{typed}</bdi>
        </p>
      )}
      <ActionButton action="start-again" onPress={() => send({ type: 'START_AGAIN' })}>
        {t(typed === undefined ? 'error.startAgain' : 'mfa.notYou')}
      </ActionButton>
    </div>
  );
}
