import type { ReactNode } from 'react';
import type { Locale } from '@anteroom/contract';
import { useLanguage } from '../../i18n/language.ts';
import { dateTagOf } from '../../i18n/locales.ts';
import { CopyButton } from '../CopyButton.tsx';
import styles from './error-tool.module.css';

/** Copies a value, or shows a time in the visitor's time zone. */
export function ErrorTool({ copies, timestamp }: { copies?: string; timestamp?: string }): ReactNode {
  if (copies !== undefined) return <CopyButton text={copies} />;
  return timestamp !== undefined && <LocalTime timestamp={timestamp} />;
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
