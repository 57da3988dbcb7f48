import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { LiveRegion } from '../ui/text/LiveRegion.tsx';
import styles from './copy-button.module.css';

/** A button that copies a value. Not shown without a clipboard (plain http). */
export function CopyButton({ text }: { text: string }): ReactNode {
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
