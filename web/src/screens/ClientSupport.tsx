import type { ReactNode } from 'react';
import type { MessageKey } from '../i18n/keys.ts';
import { useLanguage } from '../i18n/language.ts';
import styles from './client-support.module.css';

/** Who helps a visitor who cannot go on. Without a link: the footer below has the one to support. */
export function ClientSupport({ message }: { message: MessageKey }): ReactNode {
  const { t } = useLanguage();
  return <p className={styles.support}>{t(message)}</p>;
}
