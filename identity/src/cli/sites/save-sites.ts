import type { Insertable } from 'kysely';
import type { Config } from '../../config.ts';
import { findHome } from '../../lib/home-region.ts';
import { displayNameKey } from '../../lib/site-name.ts';
import { secureRandom } from '../../lib/random.ts';
import type { DatabaseTransaction, SitesTable } from '../../store/schema.ts';
import { inBatches } from '../batches.ts';
import { findChanges, merge } from '../fields.ts';
import { endSessions } from '../../openid/end-sessions.ts';
import { noteEnded } from '../sessions/note-ended.ts';
import type { EndedSession } from '../../openid/end-sessions.ts';
import type { Outcome, PlanOptions, Row, WriteOptions } from '../noun.ts';
import { findParents, findSitesByName } from './present-sites.ts';
import { RefusedError } from '../problems.ts';
import type { PresentSite } from './present-sites.ts';
import type { SiteEntry } from './site-entry.ts';

/** `present` undefined: a new one. Parents stand before their children. */
type SiteToWrite = { present: PresentSite | undefined; entry: Required<SiteEntry> };
/** Sessions at sites that are disabled now. */
export type SitesPrepared = {
  ended: EndedSession[];
  /** Which regions there are. */
  config: Pick<Config, 'publicUrl' | 'regions'>;
};

export type SitesPlan = { outcome: Outcome; sites: SiteToWrite[] };

/** A new site of which no more than the name is said; `displayName` is asked for. */
const newSite: Omit<Required<SiteEntry>, 'name'> = {
  displayName: '',
  parent: null,
  sequence: 0,
  logoPath: null,
  listed: true,
  secondFactorRequired: false,
  adaptiveSecondFactor: true,
  allowPasswordEntry: true,
  directorToDosEnabled: true,
  identityServiceUrl: null,
  passwordPolicy: null,
  disabled: false,
};

export async function planSites(
  transaction: DatabaseTransaction,
  rows: readonly Row<SiteEntry>[],
  { update, add, problems }: PlanOptions,
): Promise<SitesPlan> {
  // a parent may stand in a line that is left out because of something else
  const isWholeFile = !problems.areAny();
  const present = await findSitesByName(
    transaction,
    rows.map(({ entry }) => entry.name),
  );
  const outcome: Outcome = { added: [], changed: [], left: [], concerns: new Map() };
  const sites: SiteToWrite[] = [];
  for (const { line, entry } of rows) {
    outcome.concerns.set(entry.name, { site: entry.name });
    const known = present.get(entry.name);
    if (known === undefined) {
      if (!add) {
        problems.add({ line, column: 'name', reason: `there is no site ${entry.name}` });
        continue;
      }
      if (entry.displayName === undefined)
        problems.add({ line, column: 'displayName', reason: 'is needed for a new site' });
      outcome.added.push(entry.name);
      sites.push({ present: undefined, entry: merge({ ...newSite, name: entry.name }, entry) });
      continue;
    }
    const changes = findChanges(known.entry, entry, ['name']);
    if (Object.keys(changes).length === 0) {
      outcome.left.push(entry.name);
    } else if (update) {
      outcome.changed.push({ name: entry.name, changes });
      sites.push({ present: known, entry: merge(known.entry, entry) });
    } else {
      problems.add({
        line,
        column: 'name',
        reason: `there is a site ${entry.name} already (--update changes it)`,
      });
    }
  }
  return { outcome, sites: await sortByDepth(transaction, rows, sites, { problems, isWholeFile }) };
}

/** Parents first; a parent that nobody knows, and a circle, are problems. */
async function sortByDepth(
  transaction: DatabaseTransaction,
  rows: readonly Row<SiteEntry>[],
  sites: readonly SiteToWrite[],
  { problems, isWholeFile }: Pick<PlanOptions, 'problems'> & { isWholeFile: boolean },
): Promise<SiteToWrite[]> {
  if (rows.every(({ entry: { parent } }) => parent === undefined || parent === null)) return [...sites];
  const parents = await findParents(transaction);
  for (const { entry } of sites) parents.set(entry.name, entry.parent ?? null);
  for (const { line, entry } of rows) {
    if (entry.parent === undefined || entry.parent === null) continue;
    if (!parents.has(entry.parent)) {
      if (isWholeFile) problems.add({ line, column: 'parent', reason: `there is no site ${entry.parent}` });
    } else if (depthOf(entry.name, parents) === Infinity)
      problems.add({ line, column: 'parent', reason: `${entry.parent} would be its own ancestor` });
  }
  return sites.toSorted(
    (one, other) => depthOf(one.entry.name, parents) - depthOf(other.entry.name, parents),
  );
}

/** How many sites stand above it; infinite in a circle. */
function depthOf(name: string, parents: ReadonlyMap<string, string | null>): number {
  const seen = new Set<string>();
  for (let at: string | null | undefined = name; at !== null && at !== undefined; at = parents.get(at)) {
    if (seen.has(at)) return Infinity;
    seen.add(at);
  }
  return seen.size;
}

/** A home that is no region of ours is one that nobody is ever led to (attacks and faults, S57). @throws RefusedError */
function refuseUnlistedHomes(
  sites: readonly SiteToWrite[],
  config: Pick<Config, 'publicUrl' | 'regions'>,
): void {
  const problems = sites.flatMap(({ entry }) =>
    findHome(config, entry.identityServiceUrl ?? undefined) === undefined
      ? [
          {
            column: 'identityServiceUrl',
            reason: `${entry.identityServiceUrl} is no region of ours: REGIONS lists them (site ${entry.name})`,
          },
        ]
      : [],
  );
  if (problems.length > 0) throw new RefusedError(problems);
}

export async function writeSites(
  transaction: DatabaseTransaction,
  { sites }: SitesPlan,
  { ended, config }: SitesPrepared,
  { now, onWritten }: WriteOptions,
): Promise<void> {
  refuseUnlistedHomes(sites, config);
  const ids = new Map<string, string>();
  const named = await findSitesByName(
    transaction,
    sites.flatMap(({ entry }) => entry.parent ?? []),
  );
  for (const [name, { id }] of named) ids.set(name, id);
  for (const { entry, present } of sites) ids.set(entry.name, present?.id ?? secureRandom.token(16));

  // a parent must be there before the statement that names it ends
  for (const batch of inBatches(sites)) {
    await transaction
      .insertInto('sites')
      .values(batch.map((site) => toRow(site, ids, now)))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((written) => ({
          display_name: written.ref('excluded.display_name'),
          display_name_key: written.ref('excluded.display_name_key'),
          listed: written.ref('excluded.listed'),
          parent_id: written.ref('excluded.parent_id'),
          sequence: written.ref('excluded.sequence'),
          logo_path: written.ref('excluded.logo_path'),
          second_factor_required: written.ref('excluded.second_factor_required'),
          adaptive_second_factor: written.ref('excluded.adaptive_second_factor'),
          allow_password_entry: written.ref('excluded.allow_password_entry'),
          director_to_dos_enabled: written.ref('excluded.director_to_dos_enabled'),
          identity_service_url: written.ref('excluded.identity_service_url'),
          password_policy: written.ref('excluded.password_policy'),
          disabled_at: written.ref('excluded.disabled_at'),
        })),
      )
      .execute();
    await onWritten(batch.length);
  }
  for (const { entry, present } of sites) {
    if (entry.disabled !== true || present === undefined || present.disabledAt !== null) continue;
    ended.push(...(await endSessions(transaction, { site: entry.name }, now)));
  }
  await noteEnded(transaction, now, ended);
}

function toRow(
  { entry, present }: SiteToWrite,
  ids: ReadonlyMap<string, string>,
  now: Date,
): Insertable<SitesTable> {
  return {
    id: ids.get(entry.name) ?? '',
    name: entry.name,
    display_name: entry.displayName ?? '',
    display_name_key: displayNameKey(entry.displayName ?? ''),
    listed: entry.listed ?? true,
    parent_id: typeof entry.parent === 'string' ? ids.get(entry.parent) : null,
    sequence: entry.sequence ?? 0,
    logo_path: entry.logoPath,
    second_factor_required: entry.secondFactorRequired ?? false,
    adaptive_second_factor: entry.adaptiveSecondFactor ?? true,
    allow_password_entry: entry.allowPasswordEntry ?? true,
    director_to_dos_enabled: entry.directorToDosEnabled ?? true,
    identity_service_url: entry.identityServiceUrl,
    password_policy: entry.passwordPolicy ? JSON.stringify(entry.passwordPolicy) : null,
    disabled_at: entry.disabled === true ? (present?.disabledAt ?? now) : null,
    created_at: present?.createdAt ?? now,
  };
}
