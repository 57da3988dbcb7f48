import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { isSpaced } from '../i18n/translator.ts';
import styles from './code-validity.module.css';

/** How long a code is valid, after the sentence about where it was sent. */
export function CodeValidity({ minutes }: { minutes: number }): ReactNode {
  const { t, locale } = useLanguage();
  return (
    <>
      {isSpaced(locale) && ' '}
      <span className={styles.validity}>{t('secondFactor.validity', { count: minutes })}</span>
    </>
  );
}
