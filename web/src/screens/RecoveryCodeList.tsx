import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { ActionButton } from '../ui/link/ActionButton.tsx';
import styles from './app-enrolment.module.css';
import { inFours } from './in-fours.ts';
import { saveFile } from './save-file.ts';

/** Recovery codes, with buttons to save them. */
export function RecoveryCodeList({ recoveryCodes }: { recoveryCodes: readonly string[] }): ReactNode {
  const { t } = useLanguage();
  const codes = recoveryCodes.map(inFours);
  return (
    <>
      <ul className={styles.codes} data-recovery-codes="">
        {codes.map((code) => (
          <li key={code}>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <ActionButton action="print" onPress={() => window.print()}>
          {t('authenticator.print')}
        </ActionButton>
        <ActionButton
          action="download"
          onPress={() => saveFile('recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)}
        >
          {t('authenticator.download')}
        </ActionButton>
      </div>
    </>
  );
}
