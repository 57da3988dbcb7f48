import type { OfferedApp } from '@anteroom/contract/authenticator-app';
import type { ReactNode } from 'react';
import { encode } from 'uqr';
import { useLanguage } from '../i18n/language.ts';
import { ActionButton } from '../ui/link/ActionButton.tsx';
import { Description } from '../ui/text/Heading.tsx';
import styles from './app-enrolment.module.css';
import { saveFile } from './save-file.ts';

/** The set-up of an authenticator app: a QR code, the key as text, and the recovery codes. */
export function AppEnrolment({ secret, uri, recoveryCodes, why }: OfferedApp & { why: string }): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Description>
        <p>{why}</p>
      </Description>
      <p className={styles.step}>{t('authenticator.scan')}</p>
      <QrCode text={uri} label={t('authenticator.qrCode')} />
      {/* For a page on the phone itself, which cannot scan its own screen. */}
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
          <code translate="no" className={styles.key} dir="ltr">
            {inFours(secret)}
          </code>
        </p>
      </Description>
      <p className={styles.step}>{t('authenticator.recoveryCodes')}</p>
      <RecoveryCodeList recoveryCodes={recoveryCodes} />
    </>
  );
}

/**
 * Draws the QR code dark on light in every colour scheme, as scanners expect, with a margin of four modules (ISO/IEC
 * 18004).
 */
function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { border: 4 });
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element needs an image with an address
    <svg className={styles.qrCode} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.modules} d={modules.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}

/** Recovery codes, with buttons to save them. */
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

/** Groups characters by four, so that they are easier to read and type. */
const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? '';
