import type { Exchange } from '../http/exchange.ts';
import { displayNameKey, namesMeantBy, siteNameKey } from '../lib/site-name.ts';
import type { Database } from '../store/schema.ts';
import { findSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

type Find<Found> = (name: string) => Promise<Found | undefined>;

/**
 * The one place where text that a visitor typed becomes a site: its name, its display name, its address, in any case and spacing. An unlisted
 * site is found by its exact name alone, so that any other text answers as if it were not there. `find` reads what the caller needs of the
 * site of a name: most callers come with the name itself, and cost no more than before.
 */
export async function resolveSite<Found>(
  database: Database,
  typed: string,
  find: Find<Found>,
): Promise<Found | undefined> {
  return (await find(siteNameKey(typed))) ?? (await resolveOtherText(database, typed, find));
}

/** The same for the calls that follow the choice of a site: only text that is no site's name counts as a guess. */
export async function resolveNamedSite<Found>(
  database: Database,
  typed: string,
  { guessSite }: Pick<Exchange, 'guessSite'>,
  find: Find<Found>,
): Promise<Found | undefined> {
  return (await find(siteNameKey(typed))) ?? (await guessSite(() => resolveOtherText(database, typed, find)));
}

/** The site itself; none where the visitor has named none. */
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
  const name = await findNameMeantBy(database, typed);
  return name === undefined ? undefined : await find(name);
}

/** A display name that one top-level site alone has comes first, then the names that stand in the text. */
async function findNameMeantBy(database: Database, typed: string): Promise<string | undefined> {
  const key = displayNameKey(typed);
  const names = namesMeantBy(typed);
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
  // the release before renames sites without their keys
  const displayed = rows.filter(
    (row) => row.parent_id === null && displayNameKey(row.display_name) === key && key !== '',
  );
  if (displayed.length === 1) return displayed[0]?.name;
  return names.find((name) => rows.some((row) => row.name === name));
}
