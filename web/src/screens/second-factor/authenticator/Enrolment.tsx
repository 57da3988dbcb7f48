import type { ReactNode } from 'react';
import { encode } from 'uqr';
import { useLanguage } from '../../../i18n/language.ts';
import { ActionButton } from '../../../ui/link/ActionButton.tsx';
import { Description } from '../../../ui/text/Description.tsx';
import styles from './enrolment.module.css';

export interface OfferedApp {
  /** In base 32. */
  secret: string;
  /** The same as an `otpauth:` address. */
  uri: string;
  recoveryCodes: string[];
}

/** What an app is set up with: a picture to scan, the key to type, and the recovery codes to keep. */
export function Enrolment({ secret, uri, recoveryCodes }: OfferedApp): ReactNode {
  const { t } = useLanguage();
  const codes = recoveryCodes.map(inFours);
  return (
    <>
      <Description>
        <p>{t('authenticator.why')}</p>
      </Description>
      <p className={styles.step}>{t('authenticator.scan')}</p>
      <QrCode text={uri} label={t('authenticator.qrCode')} />
      {/* on the phone itself there is nothing to scan with */}
      {uri.startsWith('otpauth://totp/') && (
        <p>
          <a className={styles.link} href={uri} data-action="open-app">
            {t('authenticator.openApp')}
          </a>
        </p>
      )}
      <Description>
        <p>{t('authenticator.key')}</p>
        <p>
          <code className={styles.key} dir="ltr">
            {inFours(secret)}
          </code>
        </p>
      </Description>
      <p className={styles.step}>{t('authenticator.recoveryCodes')}</p>
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

const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? '';

/** Dark on light in every colour scheme, as scanners expect, with the margin of four modules (ISO/IEC 18004). */
function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { border: 4 });
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element would need the picture at an address
    <svg className={styles.qrCode} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.modules} d={modules.join('')} shapeRendering="crispEdges" />
    </svg>
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
