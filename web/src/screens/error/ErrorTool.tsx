import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import styles from './error-tool.module.css';

/** Copies a value, or shows a time in the visitor's own zone. */
export function ErrorTool({ copies, timestamp }: { copies?: string; timestamp?: string }): ReactNode {
  if (copies !== undefined) return <CopyButton text={copies} />;
  return timestamp !== undefined && <LocalTime timestamp={timestamp} />;
}

/** Copies what support asks for; absent where the browser has no clipboard (plain http). */
function CopyButton({ text }: { text: string }): ReactNode {
  const { t, locale } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  // the DOM's types promise a clipboard that plain http does not have
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return null;
  const copy = (): void => {
    clipboard.writeText(text).then(
      () => setCopied(true),
      // the value is on the page, to be selected by hand
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

/** The same moment for the visitor. */
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

/** The moment in the visitor's own time zone, with its name; undefined for what is no time. */
function findLocalTime(timestamp: string, locale: string): string | undefined {
  const at = new Date(timestamp);
  if (Number.isNaN(at.getTime())) return undefined;
  // the order of day and month follows the visitor's region, British or American
  const region = navigator.languages.find((language) => language.split('-')[0] === locale);
  return at.toLocaleString(region ?? locale, {
    dateStyle: 'long',
    timeStyle: 'long',
    calendar: 'gregory',
    numberingSystem: 'latn',
  });
}
