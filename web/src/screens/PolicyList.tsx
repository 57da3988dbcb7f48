import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { InlineIcon } from '../ui/icon/InlineIcon.tsx';
import { VisuallyHidden } from '../ui/text/VisuallyHidden.tsx';
import styles from './policy-list.module.css';
import type { MetLines } from './met-lines.ts';
import type { PolicyText } from './policy-text.ts';

interface PolicyListProps {
  /** The id that the password field's `describedBy` references. */
  id: string;
  lines: readonly PolicyText[];
  /**
   * Whether the new password meets each rule, as far as known: from what was typed, or from the service's rejection.
   */
  met: MetLines;
}

/** The rules for a new password, if any. */
export function PolicyList({ id, lines, met }: PolicyListProps): ReactNode {
  const { t } = useLanguage();
  if (lines.length === 0) return null;
  return (
    <div className={styles.policy} id={id}>
      <p>{t('resetPassword.policy')}</p>
      <Lines lines={lines} met={met} />
    </div>
  );
}

function Lines({ lines, met }: Pick<PolicyListProps, 'lines' | 'met'>): ReactNode {
  return (
    <ul className={styles.lines}>
      {lines.map(({ id, line, text, lines: below }) => (
        <li key={id} data-policy-line={line} data-met={met[line]}>
          {text}
          <Mark isMet={met[line]} />
          {below.length > 0 && <Lines lines={below} met={met} />}
        </li>
      ))}
    </ul>
  );
}

function Mark({ isMet }: { isMet: boolean | undefined }): ReactNode {
  const { t } = useLanguage();
  if (isMet === undefined) return null;
  return (
    <>
      <span className={styles.mark}>
        <InlineIcon name={isMet ? 'check' : 'alert'} />
      </span>
      <VisuallyHidden> ({t(isMet ? 'resetPassword.lineMet' : 'resetPassword.lineNotMet')})</VisuallyHidden>
    </>
  );
}
