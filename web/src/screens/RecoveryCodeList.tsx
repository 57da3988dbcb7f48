import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { ActionButton } from '../ui/link/ActionButton.tsx';
import styles from './app-enrolment.module.css';
import { inFours } from './in-fours.ts';

/** Recovery codes, and the ways to keep them. */
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
        <ActionButton action="download" onPress={() => download(codes)}>
          {t('authenticator.download')}
        </ActionButton>
      </div>
    </>
  );
}

/** As a file that the browser makes by itself: the codes stand in no address. */
function download(codes: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}
