import type { Blocklist } from './policy-blocklist.ts';
import { foldPassword } from './policy-entries.ts';
import { compositionRules } from './policy.ts';
import type { CompositionRule, PasswordPolicy } from './policy.ts';

export type PolicyRule =
  | 'minimumLength'
  | 'maximumLength'
  | 'notCommon'
  | 'notBreached'
  | 'notContainsUserName'
  | 'notContainsSiteName'
  | 'notReused'
  | 'atLeast'
  | CompositionRule;

/** A rule that a new password breaks, with the number that the rule's message contains. */
export type BrokenRule = { rule: PolicyRule; count: number };

export type Names = {
  /** The user name and e-mail address. */
  user: readonly string[];
  /** The site's name and display name. */
  site: readonly string[];
};

/** Shorter names occur in too many words. */
const shortestName = 4;

/**
 * The first rule that a new password breaks, in the order of the policy, without `notReused`, which costs hashes
 * (`change.ts`). Each code point counts as one character, after NFC (NIST SP 800-63B-4, 3.1.1.2); nothing is trimmed.
 */
export async function findBrokenRule(
  policy: PasswordPolicy,
  password: string,
  names: Names,
  blocklist: Blocklist,
): Promise<BrokenRule | undefined> {
  const normalised = password.normalize('NFC');
  // A text with so many units is too long in any case, so it need not be split into code points.
  if (normalised.length > policy.maximumLength * 2) return broken('maximumLength', policy.maximumLength);
  const length = lengthOf(normalised);
  if (length < policy.minimumLength) return broken('minimumLength', policy.minimumLength);
  if (length > policy.maximumLength) return broken('maximumLength', policy.maximumLength);
  if (await blocklist.isBreached(normalised)) return broken('notBreached');
  if (await blocklist.isCommon(normalised)) return broken('notCommon');
  if (buildsOn(normalised, names.user, policy)) return broken('notContainsUserName');
  if (buildsOn(normalised, names.site, policy)) return broken('notContainsSiteName');
  return findBrokenComposition(policy, normalised);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function broken(rule: PolicyRule, count = 0): BrokenRule {
  return { rule, count };
}

/**
 * Whether the password is long enough only because of a name. An attacker knows the names, so they add no strength; a
 * long passphrase may contain one.
 */
function buildsOn(password: string, names: readonly string[], { minimumLength }: PasswordPolicy): boolean {
  const folded = foldPassword(password);
  return names
    .flatMap((name) => [name, name.split('@')[0] ?? '', ...name.split(/[^\p{L}\p{N}]+/u)])
    .map(foldPassword)
    .filter((name) => name.length >= shortestName)
    .some((name) => folded.includes(name) && lengthOf(folded.replaceAll(name, '')) < minimumLength);
}

const patterns: Record<CompositionRule, RegExp> = {
  minimumUppercase: /\p{Lu}/gu,
  minimumLowercase: /\p{Ll}/gu,
  minimumDigits: /\p{Nd}/gu,
  minimumSpecial: /[^\p{L}\p{N}]/gu,
};

function findBrokenComposition(policy: PasswordPolicy, password: string): BrokenRule | undefined {
  const asked = compositionRules.flatMap((rule) => {
    const wanted = policy.composition[rule];
    return wanted === undefined ? [] : [{ rule, wanted }];
  });
  const missed = asked.filter(({ rule, wanted }) => (password.match(patterns[rule]) ?? []).length < wanted);
  if (policy.atLeast === undefined) {
    const [first] = missed;
    return first && broken(first.rule, first.wanted);
  }
  // A site cannot require more rules to be met than it has.
  const enough = Math.min(policy.atLeast, asked.length);
  return asked.length - missed.length < enough ? broken('atLeast', enough) : undefined;
}
