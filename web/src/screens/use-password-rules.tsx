import type { PasswordPolicy } from '@anteroom/contract';
import { useId, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import type { Translator } from '../i18n/translator.ts';
import { InlineIcon } from '../ui/icon/InlineIcon.tsx';
import { LiveRegion, VisuallyHidden } from '../ui/text/LiveRegion.tsx';
import styles from './policy-list.module.css';
import { describePolicy } from './policy-text.ts';
import type { PolicyText } from './policy-text.ts';

export interface PasswordRules {
  /** The list of the rules; false if there are none. */
  list: ReactNode;
  /** The id of the list, for the description of the password field. */
  listId: string | undefined;
  /** Whether the typed password breaks a rule that the page can check, or the rejected one any known rule. */
  isBroken: boolean;
  /** Called on each input in the new-password field. The password is not stored. */
  onType: (password: string) => void;
  /** Rules without a text. */
  missing: readonly string[];
}

/**
 * The rules for a new password, with feedback while it is typed; the service decides.
 * @param refusals increases with each rejection that clears the field
 * @param refusedLine the rule for which the service rejected the password
 */
export function usePasswordRules(
  policy: PasswordPolicy | undefined,
  { refusals, refusedLine }: { refusals: number; refusedLine: string | undefined },
): PasswordRules {
  const { t, find } = useLanguage();
  const id = useId();
  const { lines: all, missing } = useMemo(() => describePolicy(policy, find), [policy, find]);
  const [typed, setTyped] = useState({ refusals, met: nothingKnown });
  const isTyping = typed.refusals === refusals;
  // A rejection names one rule; the page knows of the others that the rejected password did not meet.
  const refused = isTyping ? nothingKnown : keepUnmet({ ...typed.met, ...named(refusedLine) });
  const met = isTyping ? { ...named(refusedLine), ...typed.met } : refused;
  const generous = findGenerousLine(policy);
  const lines = all.filter(({ line }) => line !== generous || met[line] === false);
  const reached = lines.find(({ line }) => line === 'minimumLength' && met[line]);
  return {
    list: lines.length > 0 && (
      <>
        <div className={styles.rules} id={id}>
          <p>{t('passwordChange.policy')}</p>
          <Lines lines={lines} met={met} refused={refused} />
        </div>
        <LiveRegion message={reached && `${reached.text}${markText(true, t)}`} />
      </>
    ),
    listId: lines.length > 0 ? id : undefined,
    isBroken: Object.values(isTyping ? typed.met : refused).includes(false),
    onType: (password) => setTyped({ refusals, met: findMetLines(policy, password) }),
    missing,
  };
}

interface LinesProps {
  lines: readonly PolicyText[];
  /** Whether the new password meets each rule, if known from the typed text or from the service's rejection. */
  met: MetLines;
  /** The rules that the rejected password did not meet. While the visitor types, no rule is an error. */
  refused: MetLines;
}

function Lines({ lines, met, refused }: LinesProps): ReactNode {
  return (
    <ul className={styles.lines}>
      {lines.map(({ id, line, text, lines: below }) => (
        <li
          key={id}
          data-policy-line={line}
          data-met={met[line]}
          data-refused={refused[line] === false || undefined}
        >
          <span>{text}</span>
          <Mark isMet={met[line] || refused[line]} />
          {below.length > 0 && <Lines lines={below} met={met} refused={refused} />}
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
      <VisuallyHidden>{markText(isMet, t)}</VisuallyHidden>
    </>
  );
}

const markText = (isMet: boolean, t: Translator['t']): string =>
  ` (${t(isMet ? 'passwordChange.lineMet' : 'passwordChange.lineNotMet')})`;

/** No user types a longer password, and password managers generate shorter ones. */
const longestUsual = 64;

/** The rule of a generous maximum is shown only while it is broken: it would only make the list longer. */
function findGenerousLine({ maximumLength }: Partial<PasswordPolicy> = {}): string | undefined {
  return typeof maximumLength === 'number' && maximumLength >= longestUsual ? 'maximumLength' : undefined;
}

/** Whether a policy line is met, by its name. Lines that are not in the record are unknown. */
type MetLines = Readonly<Record<string, boolean>>;

const nothingKnown: MetLines = {};

const named = (refusedLine: string | undefined): MetLines =>
  refusedLine === undefined ? nothingKnown : { [refusedLine]: false };

const keepUnmet = (lines: MetLines): MetLines =>
  Object.fromEntries(Object.entries(lines).filter(([, isMet]) => !isMet));

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
