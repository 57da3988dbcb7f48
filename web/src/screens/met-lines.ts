import type { PasswordPolicy } from '@anteroom/contract';
import { useState } from 'react';

/** Whether a policy line is met, by its name. Lines that are not in the record are unknown. */
export type MetLines = Readonly<Record<string, boolean>>;

const nothingKnown: MetLines = {};

/** The front end can only check the length, in code points after NFC, like the service. */
export function findMetLines(policy: PasswordPolicy | undefined, password: string): MetLines {
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
