import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { VisuallyHidden } from '../text/VisuallyHidden.tsx';

/** Tells readers of a link that this page stays. */
export function OpensInNewTab(): ReactNode {
  const { t } = useLanguage();
  return <VisuallyHidden> ({t('common.opensInNewTab')})</VisuallyHidden>;
}
