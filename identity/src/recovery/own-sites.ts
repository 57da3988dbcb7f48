import { compositionRules, policyOf, parseSitePolicy } from '../passwords/policy.ts';
import type { PasswordPolicy, SitePasswordPolicy } from '../passwords/policy.ts';
import { asksForSecondFactor } from '../sites/sites-store.ts';
import type { Database } from '../store/schema.ts';

export type OwnSite = {
  name: string;
  displayName: string;
  secondFactorRequired: boolean;
  allowPasswordEntry: boolean;
  passwordPolicy: SitePasswordPolicy | undefined;
};

/** The sites of a user; a group's own site comes before its children. */
export async function listSitesOf(database: Database, personId: string): Promise<OwnSite[]> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .selectAll('sites')
    .select(asksForSecondFactor)
    .where('memberships.person_id', '=', personId)
    .where('sites.disabled_at', 'is', null)
    .orderBy((order) => order.fn.coalesce('parents.display_name', 'sites.display_name'))
    .orderBy('sites.parent_id', (order) => order.asc().nullsFirst())
    .orderBy('sites.sequence')
    .execute();
  return rows.map((row) => ({
    name: row.name,
    displayName: row.display_name,
    secondFactorRequired: row.asks_for_second_factor,
    allowPasswordEntry: row.allow_password_entry,
    passwordPolicy: parseSitePolicy(row.password_policy ?? undefined),
  }));
}

/**
 * The policy for a new password that opens all sites of a user: it must meet the rules of all of them, so that a
 * forgotten password does not bypass the rules of a strict site.
 */
export function strictestPolicyOf(sites: readonly OwnSite[]): PasswordPolicy {
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
