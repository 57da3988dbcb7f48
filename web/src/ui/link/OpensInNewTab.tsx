import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { VisuallyHidden } from '../text/VisuallyHidden.tsx';

/** Announces that a link opens a new tab. */
export function OpensInNewTab(): ReactNode {
  const { t } = useLanguage();
  return <VisuallyHidden> ({t('common.opensInNewTab')})</VisuallyHidden>;
}
