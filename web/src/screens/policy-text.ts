import type { PasswordPolicy, PolicyLine } from '@anteroom/contract';
import type { MessageParameters, Translator } from '../i18n/translator.ts';

/** One rule in words, with the rules below it. */
export interface PolicyText {
  /** The line's name, and its place among lines of the same name. */
  id: string;
  /** Its name on the wire. */
  line: string;
  text: string;
  lines: readonly PolicyText[];
}

export interface PolicyTexts {
  lines: readonly PolicyText[];
  /** Keys that have no text, or lack a number that their text needs: left out and reported (wire contract, "PasswordPolicy"). */
  missing: readonly string[];
}

/** The rules of a password in words: each line is the key `passwordPolicy.<line>`, filled with the numbers of the policy. */
export function describePolicy(policy: PasswordPolicy | undefined, find: Translator['find']): PolicyTexts {
  const missing: string[] = [];
  if (!policy) return { lines: [], missing };
  const numbers = numbersOf(policy);

  function describe(lines: readonly PolicyLine[]): PolicyText[] {
    const seen = new Map<string, number>();
    return lines.flatMap(({ line, subPolicies = [] }) => {
      const key = `passwordPolicy.${line}`;
      const text = find(key, numbers);
      if (text === undefined) {
        missing.push(key);
        return [];
      }
      const place = (seen.get(line) ?? 0) + 1;
      seen.set(line, place);
      return [{ id: `${line}-${place}`, line, text, lines: describe(subPolicies) }];
    });
  }

  return { lines: describe(policy.policyLines), missing };
}

function numbersOf(policy: PasswordPolicy): MessageParameters {
  return Object.fromEntries(
    Object.entries(policy).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'number' || typeof entry[1] === 'string',
    ),
  );
}
