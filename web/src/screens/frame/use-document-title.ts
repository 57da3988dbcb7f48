import { useEffect } from 'react';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { brand } from '../../ui/brand.ts';

/** The title of the document, in the language that is shown. */
export function useDocumentTitle(title: MessageKey): void {
  const { t } = useLanguage();
  const text = t('titles.document', { title: t(title), product: brand.productName });
  useEffect(() => {
    document.title = text;
  }, [text]);
}
