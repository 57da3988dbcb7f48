import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Locale } from '@anteroom/contract';
import { useLanguage } from '../../i18n/language.ts';
import { dateTagOf } from '../../i18n/locales.ts';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import styles from './error-tool.module.css';

/** Copies a value, or shows a time in the visitor's time zone. */
export function ErrorTool({ copies, timestamp }: { copies?: string; timestamp?: string }): ReactNode {
  if (copies !== undefined) return <CopyButton text={copies} />;
  return timestamp !== undefined && <LocalTime timestamp={timestamp} />;
}

/** A button that copies a value. Not shown without a clipboard (plain http). */
function CopyButton({ text }: { text: string }): ReactNode {
  const { t, locale } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  // Undefined on plain http, which the DOM types do not express.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return null;
  const copy = (): void => {
    clipboard.writeText(text).then(
      () => setCopied(true),
      // If copying fails, the visitor can still select the value.
      () => {},
    );
  };
  return (
    <>
      <button className={styles.copy} type="button" lang={locale} onClick={copy}>
        {t(isCopied ? 'error.copied' : 'error.copy')}
      </button>
      <LiveRegion message={isCopied ? t('error.copied') : undefined} />
    </>
  );
}

/** The time in the visitor's time zone. */
function LocalTime({ timestamp }: { timestamp: string }): ReactNode {
  const { locale } = useLanguage();
  const localTime = findLocalTime(timestamp, locale);
  return (
    localTime !== undefined && (
      <time className={styles.localTime} dateTime={timestamp} lang={locale}>
        {localTime}
      </time>
    )
  );
}

/** The local time with the name of the time zone; undefined for an invalid timestamp. */
function findLocalTime(timestamp: string, locale: Locale): string | undefined {
  const at = new Date(timestamp);
  if (Number.isNaN(at.getTime())) return undefined;
  return at.toLocaleString(dateTagOf(locale), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    // The short name is only "GMT+1" in many languages, which few readers understand.
    timeZoneName: 'longGeneric',
  });
}
