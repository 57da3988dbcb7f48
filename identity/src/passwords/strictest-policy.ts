import { compositionRules, policyOf } from './policy.ts';
import type { PasswordPolicy, PolicySite } from './policy.ts';

/**
 * The policy for a new password that opens all sites of a user: it must meet the rules of all of them, so that a
 * forgotten password does not bypass the rules of a strict site.
 */
export function strictestPolicyOf(
  sites: readonly (PolicySite & { allowPasswordEntry: boolean })[],
): PasswordPolicy {
  const policies = sites.filter(({ allowPasswordEntry }) => allowPasswordEntry).map(policyOf);
  const [first = policyOf(undefined), ...others] = policies;
  return others.reduce(stricterOf, first);
}

function stricterOf(one: PasswordPolicy, other: PasswordPolicy): PasswordPolicy {
  const composition = Object.fromEntries(
    compositionRules.flatMap((rule) => {
      const minimum = Math.max(one.composition[rule] ?? 0, other.composition[rule] ?? 0);
      return minimum === 0 ? [] : [[rule, minimum]];
    }),
  );
  return {
    minimumLength: Math.max(one.minimumLength, other.minimumLength),
    maximumLength: Math.min(one.maximumLength, other.maximumLength),
    previous: Math.max(one.previous, other.previous),
    composition,
    atLeast: stricterChoice(one, other),
  };
}

/**
 * Combines the "at least n of these rules" of two sites. The result is "all rules", unless one site has no such rules
 * or both have the same rules.
 */
function stricterChoice(one: PasswordPolicy, other: PasswordPolicy): number | undefined {
  const rulesOf = ({ composition }: PasswordPolicy): string => JSON.stringify(composition);
  if (rulesOf(one) === '{}') return other.atLeast;
  if (rulesOf(other) === '{}') return one.atLeast;
  const areSame = rulesOf(one) === rulesOf(other);
  return areSame && one.atLeast !== undefined && other.atLeast !== undefined
    ? Math.max(one.atLeast, other.atLeast)
    : undefined;
}
