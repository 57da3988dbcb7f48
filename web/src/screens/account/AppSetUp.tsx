import type { OfferedApp } from '@anteroom/contract/authenticator-app';
import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { AppEnrolment } from '../AppEnrolment.tsx';
import styles from '../app-enrolment.module.css';
import { useAccount } from './account-context.ts';
import { CodeEntry } from './CodeEntry.tsx';

export interface AppSetUpProps {
  offer: OfferedApp;
  onClose: () => void;
}

/** Sets up an authenticator app: the user scans the QR code, saves the recovery codes and enters the first code. */
export function AppSetUp({ offer, onClose }: AppSetUpProps): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const place = useRef<HTMLDivElement>(null);
  const wordsId = useId();
  useLayoutEffect(() => place.current?.focus(), []);

  const enter = async (code: string, refuse: (sentence: MessageKey) => void): Promise<void> => {
    const result = await changes.make('app', () => api.call('setUpAuthenticatorApp', { body: { code } }), {
      done: 'account.app.done',
      failed: (failure) => {
        if (failure.code !== 'invalid_credentials') return false;
        refuse('authenticator.errors.invalidCode');
        return true;
      },
    });
    if (result) onClose();
  };

  return (
    <div className={styles.app} ref={place} tabIndex={-1}>
      <AppEnrolment {...offer} why={t('account.app.why')} />
      <p className={styles.step} id={wordsId}>
        {t('authenticator.enter')}
      </p>
      <CodeEntry
        describedBy={wordsId}
        required="authenticator.errors.codeRequired"
        onEnter={(code, refuse) => void enter(code, refuse)}
        onCancel={onClose}
      />
    </div>
  );
}
