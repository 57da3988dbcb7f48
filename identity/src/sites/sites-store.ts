import type { SecondFactorName } from '@anteroom/contract/factors';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { parseAccepted } from '../factors/factors.ts';
import { siteNameKey } from '../lib/names.ts';
import type { Database, SitesTable } from '../store/schema.ts';

export { siteNameKey } from '../lib/names.ts';

/** The display data of a site in the list. */
export type ListedSite = {
  id: string;
  name: string;
  displayName: string;
  parentId: string | undefined;
  sequence: number;
  logoPath: string | undefined;
};

/** A site (tenant) at which users sign in. */
export type Site = ListedSite & {
  /**
   * Whether visitors can see the site's display name and logo, and find it by its display name, before they sign in.
   */
  isListed: boolean;
  /** Whether browsers may remember who signs in to the site. */
  allowsRememberedAccounts: boolean;
  /**
   * Whether the site requires a second factor of this service. A site without passwords leaves second factors to its
   * identity provider.
   */
  asksForSecondFactor: boolean;
  /** Whether a user without a second factor can set up an authenticator app during the sign-in. */
  allowsAuthenticatorApps: boolean;
  /** The second factors that the site accepts if it requires one. */
  secondFactors: readonly SecondFactorName[];
  /** Whether the site accepts a remembered computer instead of a code; false if it accepts only some factors. */
  adaptiveSecondFactor: boolean;
  allowPasswordEntry: boolean;
  /** Whether the director application shows to-dos of the site. */
  directorToDosEnabled: boolean;
  /** The connection to the site's identity provider; undefined if its users have only passwords. */
  connectionId: string | undefined;
  /** The stored differences from the default policy, which `passwords/policy.ts` parses. */
  passwordPolicy: Readonly<Record<string, unknown>> | undefined;
  /** The URL of the identity service in the site's home region; undefined for this region. */
  identityServiceUrl: string | undefined;
};

/** The site with this name, unless it is disabled. For the input of a visitor, use `resolve-site.ts`. */
export async function findSite(database: Database, name: string): Promise<Site | undefined> {
  const row = await database
    .selectFrom('sites')
    .select(siteColumns)
    .where('name', '=', siteNameKey(name))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row && toSite(row);
}

/** Whether the site requires a second factor now, by the clock of the database. Every query uses this expression. */
export const asksForSecondFactor = sql<boolean>`(
  sites.second_factor_required and sites.allow_password_entry and coalesce(sites.second_factor_from <= now(), true)
)`.as('asks_for_second_factor');

/** The columns that `toListed` reads. */
export const listedColumns = [
  'sites.id',
  'sites.name',
  'sites.display_name',
  'sites.parent_id',
  'sites.sequence',
  'sites.logo_path',
] as const;

/** The columns that `toSite` reads. */
export const siteColumns = [
  ...listedColumns,
  'sites.listed',
  'sites.remember_accounts',
  'sites.authenticator_apps',
  'sites.second_factors',
  'sites.adaptive_second_factor',
  'sites.allow_password_entry',
  'sites.director_to_dos_enabled',
  'sites.connection_id',
  'sites.password_policy',
  'sites.identity_service_url',
  asksForSecondFactor,
] as const;

export type SiteRow = Omit<
  Selectable<SitesTable>,
  'display_name_key' | 'second_factor_required' | 'second_factor_from' | 'disabled_at' | 'created_at'
> & { asks_for_second_factor: boolean };

type ListedRow = Pick<SiteRow, 'id' | 'name' | 'display_name' | 'parent_id' | 'sequence' | 'logo_path'>;

export function toListed(row: ListedRow): ListedSite {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    parentId: row.parent_id ?? undefined,
    sequence: row.sequence,
    logoPath: row.logo_path ?? undefined,
  };
}

export function toSite(row: SiteRow): Site {
  return {
    ...toListed(row),
    isListed: row.listed,
    allowsRememberedAccounts: row.remember_accounts,
    asksForSecondFactor: row.asks_for_second_factor,
    allowsAuthenticatorApps: row.authenticator_apps,
    secondFactors: parseAccepted(row.second_factors),
    adaptiveSecondFactor: row.adaptive_second_factor && row.second_factors === null,
    allowPasswordEntry: row.allow_password_entry,
    directorToDosEnabled: row.director_to_dos_enabled,
    connectionId: row.connection_id ?? undefined,
    passwordPolicy: row.password_policy ?? undefined,
    identityServiceUrl: row.identity_service_url ?? undefined,
  };
}
