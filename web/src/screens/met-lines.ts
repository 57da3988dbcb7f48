import type { PasswordPolicy } from '@anteroom/contract';
import { useState } from 'react';

/** By the name of a policy line: whether it is met. A line that is not named is not known. */
export type MetLines = Readonly<Record<string, boolean>>;

const nothingKnown: MetLines = {};

/** What the page can know of a password by itself: its length, in code points after NFC, as the service counts. */
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
  /** What is known of the password that is being typed, and of the line that the service has refused it for. */
  met: MetLines;
  /** Given to the field of the new password. Nothing of the password itself is kept. */
  onType: (password: string) => void;
}

/**
 * Advice while a new password is typed: the service decides.
 * @param refusals grows with each refusal that empties the field
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
