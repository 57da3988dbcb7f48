import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction, SitesTable } from '../../store/schema.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import { findInBatches, pageThrough } from '../batches.ts';
import type { SiteEntry } from './site-entry.ts';

type SiteRow = Selectable<SitesTable> & { parent_name: string | null };

/** A site as it is kept, said as an entry says it. */
export type PresentSite = {
  id: string;
  disabledAt: Date | null;
  createdAt: Date;
  entry: Required<SiteEntry>;
};

export async function findSitesByName(
  database: Database | DatabaseTransaction,
  names: Iterable<string>,
): Promise<Map<string, PresentSite>> {
  const found = await findInBatches(names, (batch) =>
    selectSites(database).where('sites.name', 'in', batch).execute(),
  );
  return new Map(found.map((row) => [row.name, toPresent(row)]));
}

/** The name of each site's parent: what a circle is found by. */
export async function findParents(
  database: Database | DatabaseTransaction,
): Promise<Map<string, string | null>> {
  const rows = await database
    .selectFrom('sites')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .select(['sites.name', 'parents.name as parent_name'])
    .execute();
  return new Map(rows.map((row) => [row.name, row.parent_name]));
}

const pageSize = 1000;

export const siteFilters = {
  parent: { flags: '--parent <site>', help: 'of this group' },
  search: { flags: '--search <text>', help: 'with this in the name or the display name' },
  disabled: { flags: '--disabled', help: 'disabled ones alone (--no-disabled: without them)' },
};

export async function* listSites(
  database: Database,
  filters: Readonly<Record<string, string | boolean | undefined>>,
): AsyncGenerator<SiteEntry> {
  const { parent, search, disabled, after, limit } = filters;
  const found = pageThrough(
    (last: SiteRow | undefined, size) => {
      let query = selectSites(database).orderBy('sites.name').limit(size);
      const from = last?.name ?? (typeof after === 'string' ? siteNameKey(after) : undefined);
      if (from !== undefined) query = query.where('sites.name', '>', from);
      if (typeof parent === 'string') query = query.where('parents.name', '=', siteNameKey(parent));
      if (typeof search === 'string') {
        const wanted = search.trim().toLowerCase();
        query = query.where((where) =>
          where.or([
            where(where.fn<number>('strpos', ['sites.name', where.val(wanted)]), '>', 0),
            where(
              where.fn<number>('strpos', [where.fn('lower', ['sites.display_name']), where.val(wanted)]),
              '>',
              0,
            ),
          ]),
        );
      }
      if (disabled !== undefined)
        query = query.where('sites.disabled_at', disabled === true ? 'is not' : 'is', null);
      return query.execute();
    },
    { size: pageSize, limit: limit === undefined ? Infinity : Number(limit) },
  );
  for await (const row of found) yield toPresent(row).entry;
}

function selectSites(database: Database | DatabaseTransaction) {
  return database
    .selectFrom('sites')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .selectAll('sites')
    .select('parents.name as parent_name');
}

function toPresent(row: SiteRow): PresentSite {
  return {
    id: row.id,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    entry: {
      name: row.name,
      displayName: row.display_name,
      parent: row.parent_name,
      sequence: row.sequence,
      logoPath: row.logo_path,
      listed: row.listed,
      secondFactorRequired: row.second_factor_required,
      adaptiveSecondFactor: row.adaptive_second_factor,
      allowPasswordEntry: row.allow_password_entry,
      directorToDosEnabled: row.director_to_dos_enabled,
      identityServiceUrl: row.identity_service_url,
      passwordPolicy: row.password_policy,
      disabled: row.disabled_at !== null,
    },
  };
}
