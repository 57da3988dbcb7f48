import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button/Button.tsx';
import styles from './app-enrolment.module.css';
import { CopyButton } from './CopyButton.tsx';
import { saveFile } from './save-file.ts';

/** Recovery codes, with buttons to keep them. */
export function RecoveryCodeList({ recoveryCodes }: { recoveryCodes: readonly string[] }): ReactNode {
  const { t } = useLanguage();
  const codes = recoveryCodes.map(inFours);
  return (
    <>
      <ul className={styles.codes} data-recovery-codes="">
        {codes.map((code) => (
          <li key={code}>
            <code translate="no" dir="ltr">
              {code}
            </code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button action="print" variant="secondary" onPress={() => window.print()}>
          {t('authenticator.print')}
        </Button>
        <Button
          action="download"
          variant="secondary"
          onPress={() => saveFile('recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)}
        >
          {t('authenticator.download')}
        </Button>
        <CopyButton text={codes.join('\n')} />
      </div>
    </>
  );
}

/** Groups characters by four, so that they are easier to read and type. */
export const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? '';
