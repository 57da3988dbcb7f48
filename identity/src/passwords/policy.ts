import { passwordMaximumLength } from '@anteroom/contract';
import type { PasswordPolicy as PolicyAnswer, PolicyLine } from '@anteroom/contract';
import * as v from 'valibot';

/** NIST SP 800-63B-4, 3.1.1.2: at least 15 characters for a password alone, at least 8 with a second factor. */
const minimumLengthAlone = 15;
const minimumLengthWithSecondFactor = 8;

/** The minimum for any site. */
export const shortestPassword = minimumLengthWithSecondFactor;

/** How many previous passwords cannot be reused. */
const previousByDefault = 5;

/**
 * Rules about character classes, for sites that require them. Off by default, because they make passwords worse (NIST
 * SP 800-63B-4, 3.1.1.2 SHALL NOT; OWASP ASVS V6.2.5). Periodic password changes make passwords worse too, and are not
 * supported.
 */
export const compositionRules = [
  'minimumUppercase',
  'minimumLowercase',
  'minimumDigits',
  'minimumSpecial',
] as const;
export type CompositionRule = (typeof compositionRules)[number];

export type PasswordPolicy = {
  minimumLength: number;
  maximumLength: number;
  /** How many previous passwords cannot be reused; 0 allows reuse. */
  previous: number;
  composition: Partial<Record<CompositionRule, number>>;
  /** How many of the composition rules must be met; absent: all. */
  atLeast: number | undefined;
};

const count = (minimum: number, maximum: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum)));

/** A site's own policy (`sites.password_policy`). */
export const sitePasswordPolicy = v.strictObject({
  minimumLength: count(minimumLengthWithSecondFactor, 64),
  previous: count(0, 24),
  minimumUppercase: count(1, 8),
  minimumLowercase: count(1, 8),
  minimumDigits: count(1, 8),
  minimumSpecial: count(1, 8),
  atLeast: count(1, compositionRules.length),
});
export type SitePasswordPolicy = v.InferOutput<typeof sitePasswordPolicy>;

/** The data of a site on which its policy depends. */
export type PolicySite = {
  asksForSecondFactor: boolean;
  /** The stored differences from the default policy. */
  passwordPolicy: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The policy of a site, or the default. It depends only on the site and never on the user, so that it does not reveal
 * which users exist or have a second factor (attacks and faults, S28).
 * @throws ValiError if the stored policy is invalid: no password can be changed there until it is corrected
 */
export function policyOf(site: PolicySite | undefined): PasswordPolicy {
  const own = v.parse(sitePasswordPolicy, site?.passwordPolicy ?? {});
  const composition = Object.fromEntries(
    compositionRules.flatMap((rule) => (own[rule] === undefined ? [] : [[rule, own[rule]]])),
  );
  return {
    minimumLength:
      own.minimumLength ??
      (site?.asksForSecondFactor === true ? minimumLengthWithSecondFactor : minimumLengthAlone),
    maximumLength: passwordMaximumLength,
    previous: own.previous ?? previousByDefault,
    composition,
    atLeast: own.atLeast,
  };
}

/** Converts the policy to the wire format: the rules as lines, with the numbers in their texts. */
export function describePolicy(policy: PasswordPolicy): PolicyAnswer {
  const composition = compositionRules
    .filter((rule) => policy.composition[rule] !== undefined)
    .map((rule): PolicyLine => ({ line: rule }));
  const isChoice = policy.atLeast !== undefined && composition.length > 0;
  return {
    policyLines: [
      { line: 'minimumLength' },
      { line: 'maximumLength' },
      { line: 'notCommon' },
      { line: 'notBreached' },
      { line: 'notContainsUserName' },
      { line: 'notContainsSiteName' },
      ...(policy.previous > 0 ? [{ line: 'notReused' }] : []),
      ...(isChoice ? [{ line: 'atLeast', subPolicies: composition }] : composition),
    ],
    minimumLength: policy.minimumLength,
    maximumLength: policy.maximumLength,
    ...policy.composition,
    ...(isChoice && { atLeast: policy.atLeast }),
  };
}
