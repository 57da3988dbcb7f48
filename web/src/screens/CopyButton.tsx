import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { LiveRegion } from '../ui/text/LiveRegion.tsx';
import styles from './copy-button.module.css';

/** A button that copies a value. Not shown without a clipboard (plain http). */
export function CopyButton({ text }: { text: string }): ReactNode {
  const { t, locale } = useLanguage();
  const [result, setResult] = useState<'error.copied' | 'common.tryAgain'>();
  // Undefined on plain http, which the DOM types do not express.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return null;
  const copy = (): void => {
    clipboard.writeText(text).then(
      () => setResult('error.copied'),
      // The browser or the embedding page refuses. The visitor can still select the value.
      () => setResult('common.tryAgain'),
    );
  };
  return (
    <>
      <button className={styles.copy} type="button" lang={locale} onClick={copy}>
        {t(result ?? 'error.copy')}
      </button>
      <LiveRegion message={result && t(result)} />
    </>
  );
}
