import { passwordMaximumLength } from '@anteroom/contract';
import type { PasswordPolicy as PolicyAnswer, PolicyLine } from '@anteroom/contract';
import * as v from 'valibot';

/** NIST SP 800-63B-4, 3.1.1.2: at least 15 where the password stands alone, at least 8 beside a second factor. */
const minimumLengthAlone = 15;
const minimumLengthWithSecondFactor = 8;

/** No site can ask for less. */
export const shortestPassword = minimumLengthWithSecondFactor;

/** How many passwords before the present one may not come back. */
const previousByDefault = 5;

/**
 * Rules about kinds of characters, for a site that insists. Off by default: they make passwords worse (NIST SP 800-63B-4,
 * 3.1.1.2 SHALL NOT; OWASP ASVS V6.2.5), and so does making people change them at intervals, which is not offered at all.
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
  /** 0: passwords may come back. */
  previous: number;
  composition: Partial<Record<CompositionRule, number>>;
  /** So many of the composition's rules are enough; absent: all of them. */
  atLeast: number | undefined;
};

const count = (minimum: number, maximum: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum)));

/** What a site may have of its own (`sites.password_policy`). */
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

/** What is stored of a site. @throws ValiError when it is none: then no password is changed there before it is put right. */
export function parseSitePolicy(stored: unknown): SitePasswordPolicy | undefined {
  return stored === undefined ? undefined : v.parse(sitePasswordPolicy, stored);
}

/**
 * The policy of a site, or of none. It goes by the site alone and never by the person, so that asking for it tells nobody who
 * exists, or who has a second factor (attacks and faults, S28).
 */
export function policyOf(
  site: { secondFactorRequired: boolean; passwordPolicy: SitePasswordPolicy | undefined } | undefined,
): PasswordPolicy {
  const own = site?.passwordPolicy ?? {};
  const composition = Object.fromEntries(
    compositionRules.flatMap((rule) => (own[rule] === undefined ? [] : [[rule, own[rule]]])),
  );
  return {
    minimumLength:
      own.minimumLength ??
      (site?.secondFactorRequired === true ? minimumLengthWithSecondFactor : minimumLengthAlone),
    maximumLength: passwordMaximumLength,
    previous: own.previous ?? previousByDefault,
    composition,
    atLeast: own.atLeast,
  };
}

/** The policy as the wire tells it: lines, and beside them the numbers that their texts use. */
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
