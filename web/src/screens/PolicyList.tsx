import type { PasswordPolicy } from '@anteroom/contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { InlineIcon } from '../ui/icon/InlineIcon.tsx';
import { VisuallyHidden } from '../ui/text/LiveRegion.tsx';
import styles from './policy-list.module.css';
import type { PolicyText } from './policy-text.ts';

interface PolicyListProps {
  /** The id that the password field's `describedBy` references. */
  id: string;
  lines: readonly PolicyText[];
  /** Whether the new password meets each rule, if known from the typed text or from the service's rejection. */
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

/** Whether a policy line is met, by its name. Lines that are not in the record are unknown. */
type MetLines = Readonly<Record<string, boolean>>;

const nothingKnown: MetLines = {};

/** Checks only the length, in code points after NFC, like the service. Only the service can check the other rules. */
function findMetLines(policy: PasswordPolicy | undefined, password: string): MetLines {
  if (password === '') return nothingKnown;
  const length = Array.from(password.normalize('NFC')).length;
  const { minimumLength, maximumLength }: Partial<PasswordPolicy> = policy ?? {};
  return {
    ...(typeof minimumLength === 'number' && { minimumLength: length >= minimumLength }),
    ...(typeof maximumLength === 'number' && { maximumLength: length <= maximumLength }),
  };
}

interface TypedPassword {
  /** What is known about the typed password, including the line for which the service rejected it. */
  met: MetLines;
  /** Called on each input in the new-password field. The password is not stored. */
  onType: (password: string) => void;
}

/**
 * Feedback while a new password is typed; the service decides.
 * @param refusals increases with each rejection that clears the field
 */
export function useMetLines(
  policy: PasswordPolicy | undefined,
  { refusals, refusedLine }: { refusals: number; refusedLine: string | undefined },
): TypedPassword {
  const [typed, setTyped] = useState({ refusals, met: nothingKnown });
  const refused = refusedLine === undefined ? nothingKnown : { [refusedLine]: false };
  return {
    met: { ...refused, ...(typed.refusals === refusals ? typed.met : nothingKnown) },
    onType: (password) => setTyped({ refusals, met: findMetLines(policy, password) }),
  };
}
