import type { Exchange } from '../http/exchange.ts';
import { candidateSiteNames, displayNameKey, domainKey, siteNameKey } from '../lib/names.ts';
import type { Database } from '../store/schema.ts';
import type { Config } from '../config/config.ts';
import { pageAddress } from '../http/page-addresses.ts';
import type { CallHandler } from '../http/routes.ts';
import { findSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

type Find<Found> = (name: string) => Promise<Found | undefined>;

/**
 * Finds the site that a visitor's input names: by name, display name or address, ignoring case and spacing. An unlisted
 * site is found only by its exact name. `find` reads a site by name; it runs first, because the input is usually the
 * name. All visitors' input that names a site must pass through this function.
 */
export async function resolveSite<Found>(
  database: Database,
  typed: string,
  find: Find<Found>,
): Promise<Found | undefined> {
  return (await find(siteNameKey(typed))) ?? (await resolveOtherText(database, typed, find));
}

/**
 * Like `resolveSite`, for calls after the selection of a site. Only input that is not an exact name counts as a guess.
 */
export async function resolveNamedSite<Found>(
  database: Database,
  typed: string,
  { guessSite }: Pick<Exchange, 'guessSite'>,
  find: Find<Found>,
): Promise<Found | undefined> {
  return (await find(siteNameKey(typed))) ?? (await guessSite(() => resolveOtherText(database, typed, find)));
}

/** The named site; undefined if the input is empty. */
export async function findNamedSite(
  database: Database,
  typed: string | undefined,
  exchange: Pick<Exchange, 'guessSite'>,
): Promise<Site | undefined> {
  if (!typed) return undefined;
  return await resolveNamedSite(database, typed, exchange, (name) => findSite(database, name));
}

async function resolveOtherText<Found>(
  database: Database,
  typed: string,
  find: Find<Found>,
): Promise<Found | undefined> {
  const name = await findMatchingName(database, typed);
  return name === undefined ? undefined : await find(name);
}

/** A display name wins if it belongs to exactly one top-level site; otherwise the first matching candidate name. */
async function findMatchingName(database: Database, typed: string): Promise<string | undefined> {
  const key = displayNameKey(typed);
  const names = candidateSiteNames(typed);
  const rows = await database
    .selectFrom('sites')
    .select(['name', 'display_name', 'parent_id'])
    .where('disabled_at', 'is', null)
    .where('listed', '=', true)
    .where((where) =>
      where.or([
        where('name', 'in', names),
        where.and([where('display_name_key', '=', key), where('parent_id', 'is', null)]),
      ]),
    )
    .execute();
  // The previous release renames a site without updating its display_name_key.
  const displayed = rows.filter(
    (row) => row.parent_id === null && displayNameKey(row.display_name) === key && key !== '',
  );
  if (displayed.length === 1) return displayed[0]?.name;
  return names.find((name) => rows.some((row) => row.name === name));
}

/** The site for a visitor's input; also the site of the company to which an e-mail domain belongs. */
async function findExistingSite(database: Database, typed: string): Promise<Site | undefined> {
  const find: Find<Site> = (name) => findSite(database, name);
  return (await resolveSite(database, typed, find)) ?? (await findSiteOfDomain(database, typed, find));
}

/** A company's domain names its site if the company signs in to exactly one listed top-level site. */
async function findSiteOfDomain(
  database: Database,
  domain: string,
  find: Find<Site>,
): Promise<Site | undefined> {
  const sites = await database
    .selectFrom('sites')
    .innerJoin('connection_domains', 'connection_domains.connection_id', 'sites.connection_id')
    .select('sites.name')
    .where('connection_domains.domain', '=', domainKey(domain))
    .where('sites.disabled_at', 'is', null)
    .where('sites.listed', '=', true)
    .where('sites.parent_id', 'is', null)
    .limit(2)
    .execute();
  const [site] = sites;
  return site !== undefined && sites.length === 1 ? await find(site.name) : undefined;
}

/** Returns whether a site matches the visitor's input, with its name, organisation and home region. */
export function createGetSiteExistence(
  { config, database }: { config: Pick<Config, 'publicUrl' | 'regions'>; database: Database },
  isPasswordAskedFirst: (site: Site, found: Awaited<ReturnType<Exchange['findSession']>>) => boolean,
): CallHandler<'getSiteExistence'> {
  return async ({ params }, exchange) => {
    const site = await exchange.guessSite(() => findExistingSite(database, params.name));
    const home = site && findHome(config, site.identityServiceUrl);
    if (site === undefined || home === undefined) return { siteExists: false };
    return {
      siteExists: true,
      name: site.name,
      ...findOrganisation(site),
      identityServiceUrl: home,
      forgotPasswordUrl: findForgotPasswordUrl(site, home),
      // Another region knows its own sessions.
      ...(home === config.publicUrl && {
        allowPasswordEntry: isPasswordAskedFirst(site, await exchange.findSession()),
      }),
    };
  };
}

/**
 * The page for a forgotten password, in the home region of the site, which stores the password. Undefined for a site at
 * which only a company signs users in.
 */
export function findForgotPasswordUrl(site: Site | undefined, home: string): string | undefined {
  return site?.allowPasswordEntry === true ? pageAddress(home, 'forgottenPassword') : undefined;
}

/** The data about a site's organisation that visitors can see before sign-in; empty for an unlisted site. */
export function findOrganisation(site: Site | undefined): {
  displayName?: string;
  logoPath?: string | undefined;
} {
  return site?.isListed === true ? { displayName: site.displayName, logoPath: site.logoPath } : {};
}

/**
 * The URL of a site's home region, if it is this region or one in the settings. Undefined for any other URL, because a
 * database row must not redirect visitors to a host that the operator has not listed (attacks and faults, S57).
 */
export function findHome(
  here: { publicUrl: string; regions: { others: readonly { url: string }[] } | undefined },
  identityServiceUrl: string | undefined,
): string | undefined {
  const home = identityServiceUrl ?? here.publicUrl;
  const isListed = home === here.publicUrl || here.regions?.others.some(({ url }) => url === home);
  return isListed === true ? home : undefined;
}
