import { compositionRules, policyOf } from '../passwords/policy.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import type { OwnSite } from './own-sites.ts';

/**
 * What the new password of somebody must be who sets it for no site in particular: it opens each of theirs, so it keeps the
 * rules of them all. Otherwise a forgotten password would be the way around the rules of a strict site.
 */
export function strictestPolicyOf(sites: readonly OwnSite[]): PasswordPolicy {
  const policies = sites.filter(({ allowPasswordEntry }) => allowPasswordEntry).map(policyOf);
  const [first = policyOf(undefined), ...others] = policies;
  return others.reduce(stricterOf, first);
}

function stricterOf(one: PasswordPolicy, other: PasswordPolicy): PasswordPolicy {
  const composition = Object.fromEntries(
    compositionRules.flatMap((rule) => {
      const asked = Math.max(one.composition[rule] ?? 0, other.composition[rule] ?? 0);
      return asked === 0 ? [] : [[rule, asked]];
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

/** "So many of these" of two sites is "all of these" of both, unless one has no such rules or they are the same ones. */
function stricterChoice(one: PasswordPolicy, other: PasswordPolicy): number | undefined {
  const rulesOf = ({ composition }: PasswordPolicy): string => JSON.stringify(composition);
  if (rulesOf(one) === '{}') return other.atLeast;
  if (rulesOf(other) === '{}') return one.atLeast;
  const areSame = rulesOf(one) === rulesOf(other);
  return areSame && one.atLeast !== undefined && other.atLeast !== undefined
    ? Math.max(one.atLeast, other.atLeast)
    : undefined;
}
