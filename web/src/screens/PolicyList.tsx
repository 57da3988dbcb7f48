import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import styles from './policy-list.module.css';
import type { PolicyText } from './policy-text.ts';

interface PolicyListProps {
  /** What a password field's `describedBy` points at. */
  id: string;
  lines: readonly PolicyText[];
}

/** The rules of a new password, if there are any. */
export function PolicyList({ id, lines }: PolicyListProps): ReactNode {
  const { t } = useLanguage();
  if (lines.length === 0) return null;
  return (
    <div className={styles.policy} id={id}>
      <p>{t('resetPassword.policy')}</p>
      <Lines lines={lines} />
    </div>
  );
}

function Lines({ lines }: { lines: readonly PolicyText[] }): ReactNode {
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <li key={line.id}>
          {line.text}
          {line.lines.length > 0 && <Lines lines={line.lines} />}
        </li>
      ))}
    </ul>
  );
}
