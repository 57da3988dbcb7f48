import type { OfferedApp } from '@anteroom/contract/authenticator-app';
import { useId } from 'react';
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

/** Sets up an authenticator app on the account page. */
export function AppSetUp({ offer, onClose }: AppSetUpProps): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const wordsId = useId();

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
    <AppEnrolment {...offer} why={t('account.app.why')} onCancel={onClose}>
      <p className={styles.step} id={wordsId}>
        {t('authenticator.enter')}
      </p>
      <CodeEntry
        describedBy={wordsId}
        required="authenticator.errors.codeRequired"
        onEnter={(code, refuse) => void enter(code, refuse)}
        onCancel={onClose}
      />
    </AppEnrolment>
  );
}
