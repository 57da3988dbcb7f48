import type { PasswordPolicy, PolicyLine } from '@anteroom/contract';
import type { MessageParameters, Translator } from '../i18n/translator.ts';

/** The text of a rule, with nested rules. */
export interface PolicyText {
  /** The name of the line, plus an index among lines of the same name. */
  id: string;
  /** The name in the contract. */
  line: string;
  text: string;
  lines: readonly PolicyText[];
}

export interface PolicyTexts {
  lines: readonly PolicyText[];
  /**
   * Keys that have no text, or whose text needs a number that the policy lacks. They are omitted and reported (wire
   * contract, "PasswordPolicy").
   */
  missing: readonly string[];
}

/**
 * The texts of the password rules. Each line is the key `passwordPolicy.<line>`, filled with the numbers of the policy;
 * the number of the line's name selects the plural form.
 */
export function describePolicy(policy: PasswordPolicy | undefined, find: Translator['find']): PolicyTexts {
  const missing: string[] = [];
  if (!policy) return { lines: [], missing };
  const numbers = numbersOf(policy);

  function describe(lines: readonly PolicyLine[]): PolicyText[] {
    const counts = new Map<string, number>();
    return lines.flatMap(({ line, subPolicies = [] }) => {
      const key = `passwordPolicy.${line}`;
      // NaN selects the form `other`, which has the number in every language: without it, the line is omitted.
      const text = find(key, { ...numbers, count: numbers[line] ?? NaN });
      if (text === undefined) {
        missing.push(key);
        return [];
      }
      const count = (counts.get(line) ?? 0) + 1;
      counts.set(line, count);
      return [{ id: `${line}-${count}`, line, text, lines: describe(subPolicies) }];
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
