import type { Selectable } from 'kysely';
import { siteNameKey } from '../lib/site-name.ts';
import type { Database, SitesTable } from '../store/schema.ts';

export { siteNameKey } from '../lib/site-name.ts';

/** What may be the second factor of a sign-in. */
export const secondFactorNames = ['passkey', 'totp', 'sms'] as const;
export type SecondFactorName = (typeof secondFactorNames)[number];

/** An organisation that people sign in at. */
export type Site = {
  id: string;
  name: string;
  displayName: string;
  parentId: string | undefined;
  sequence: number;
  logoPath: string | undefined;
  /** Visitors who have not signed in see its display name and logo, and find it by its display name. */
  isListed: boolean;
  /** It asks for a second factor of ours; a site without passwords leaves that to its provider. */
  asksForSecondFactor: boolean;
  /** A user who has no second factor, where it asks for one, sets an authenticator app up while signing in. */
  allowsAuthenticatorApps: boolean;
  /** Those that count where it asks for one. */
  secondFactors: readonly SecondFactorName[];
  /** A private computer may be remembered instead of a code each time; never where not every factor counts. */
  adaptiveSecondFactor: boolean;
  allowPasswordEntry: boolean;
  /** The director application shows what awaits its users here. */
  directorToDosEnabled: boolean;
  /** How its people sign in elsewhere; absent where they have passwords alone. */
  connectionId: string | undefined;
  /** What differs from the default policy, as it is stored; `passwords/policy.ts` reads it. */
  passwordPolicy: Readonly<Record<string, unknown>> | undefined;
  /** Base of the identity service that is the site's home; absent for this one. */
  identityServiceUrl: string | undefined;
};

/** The site of that name, unless it is disabled; what a visitor typed goes through `resolve-site.ts`. */
export async function findSite(database: Database, name: string): Promise<Site | undefined> {
  const row = await database
    .selectFrom('sites')
    .selectAll()
    .where('name', '=', siteNameKey(name))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row && toSite(row);
}

/** Decided here and nowhere else. */
export function asksForSecondFactor(
  row: Pick<Selectable<SitesTable>, 'second_factor_required' | 'allow_password_entry'>,
): boolean {
  return row.second_factor_required && row.allow_password_entry;
}

export function toSite(row: Selectable<SitesTable>): Site {
  const named = row.second_factors?.split(',');
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    parentId: row.parent_id ?? undefined,
    sequence: row.sequence,
    logoPath: row.logo_path ?? undefined,
    isListed: row.listed,
    asksForSecondFactor: asksForSecondFactor(row),
    allowsAuthenticatorApps: row.authenticator_apps,
    secondFactors: secondFactorNames.filter((name) => named?.includes(name) ?? true),
    adaptiveSecondFactor: row.adaptive_second_factor && named === undefined,
    allowPasswordEntry: row.allow_password_entry,
    directorToDosEnabled: row.director_to_dos_enabled,
    connectionId: row.connection_id ?? undefined,
    passwordPolicy: row.password_policy ?? undefined,
    identityServiceUrl: row.identity_service_url ?? undefined,
  };
}
