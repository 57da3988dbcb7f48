import { sql } from 'kysely';
import { siteNameMaximumLength } from '@anteroom/contract';
import { secondFactorNames } from '@anteroom/contract/factors';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { formatAccepted } from '../factors/factors.ts';
import { parseIsoMoment } from '../lib/clock.ts';
import { displayNameKey, siteNameKeys } from '../lib/names.ts';
import { secureRandom } from '../lib/random.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import { sitePasswordPolicy } from '../passwords/policy.ts';
import { findHome } from '../sites/resolve-site.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Database, SitesTable } from '../store/schema.ts';
import { addressMaximumLength, isHttpAddress } from './addresses.ts';
import { containsText, findInBatches, inBatches, upsert } from './batches.ts';
import {
  findInvisibleFault,
  flag,
  optional,
  required,
  text,
  toColumns,
  toEntry,
  wholeNumber,
} from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordEndedSessions } from './operator-events.ts';
import type { Scope } from './permissions.ts';
import { defineResource, isDisabledNow } from './resource.ts';
import type { Planned } from './resource.ts';

const displayNameMaximumLength = 200;

/**
 * Excludes characters that proxies and parsers interpret, because the name is part of URL paths
 * (`/api/ui/sites/{name}`).
 */
const siteName = v.pipe(
  text(siteNameMaximumLength),
  v.transform(siteNameKey),
  v.maxLength(siteNameMaximumLength, `must have at most ${siteNameMaximumLength} characters`),
  v.check((name) => !/[/\\?#%]/.test(name), 'must not contain / \\ ? # or %'),
  v.check((name) => !/^\.{1,2}$/.test(name), 'must not be . or ..'),
);

// The front end follows only http(s) addresses and paths of its own origin (wire contract, "Addresses that a server sends").
const ownOrigin = 'https://own.invalid';
const isOwnPath = (address: string): boolean => {
  const url = URL.parse(address, ownOrigin);
  return /^\/(?!\/)[^\s\\]*$/.test(address) && url?.origin === ownOrigin && !url.pathname.startsWith('//');
};
const logoPath = v.pipe(
  text(addressMaximumLength),
  v.check(
    (address) => isHttpAddress(address) || isOwnPath(address),
    'must be an http(s) address or a path that begins with one /',
  ),
);
const serviceUrl = v.pipe(
  text(addressMaximumLength),
  v.check(
    (address) => isHttpAddress(address) && new URL(address).origin === address.replace(/\/$/, ''),
    'must be an origin such as https://eu.id.example, without a path',
  ),
  v.transform((address) => new URL(address).origin),
);

/** A JSON object, or its text. */
const passwordPolicy = v.optional(
  v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      if (value === null || (typeof value === 'string' && value.trim() === '')) return null;
      const policy = v.safeParse(sitePasswordPolicy, typeof value === 'string' ? tryJson(value) : value);
      if (policy.success) return { ...policy.output };
      const [issue] = policy.issues;
      addIssue({ message: `must be a policy as JSON: ${v.getDotPath(issue) ?? ''} ${issue.message}` });
      return NEVER;
    }),
  ),
);

function tryJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Names of second factors. */
const secondFactors = v.pipe(
  text(100),
  v.transform((names) =>
    names
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  ),
  v.check(
    (names) => names.every((name) => secondFactorNames.some((known) => known === name)),
    `must be some of ${secondFactorNames.join(', ')}`,
  ),
  v.transform((names) => formatAccepted(names)),
);

/** A day or a time, stored in UTC. */
const moment = v.pipe(
  text(40),
  v.transform(parseIsoMoment),
  v.date('must be a day such as 2027-01-15, or a time such as 2027-01-15T08:00Z'),
  v.transform((date) => date.toISOString()),
);

const fields = {
  name: required('the name that visitors type, in lower case', siteName, 'name'),
  displayName: required(
    'the name that visitors see',
    v.optional(text(displayNameMaximumLength)),
    'display_name',
  ),
  parent: optional('the parent site, whose group it belongs to', siteName),
  sequence: {
    kind: 'number',
    help: 'its position within the group',
    schema: wholeNumber(-1_000_000, 1_000_000),
    initial: 0,
    column: 'sequence',
  },
  logoPath: {
    ...optional('address of the logo: https://… or a path of the service', logoPath, 'logo_path'),
    delegated: true,
  },
  listed: flag(
    'visitors see its display name and logo before they sign in, and can find it by its display name',
    true,
    'listed',
  ),
  rememberAccounts: flag(
    'browsers may remember who signs in to it, for applications that offer this (rememberAccounts of the client)',
    true,
    'remember_accounts',
  ),
  secondFactorRequired: flag('every sign-in requires a code', false, 'second_factor_required'),
  secondFactorFrom: optional(
    'when the second factor becomes required: a day (UTC) or a time such as 2027-01-15T08:00+01:00',
    moment,
  ),
  secondFactors: optional(
    `the accepted second factors: some of ${secondFactorNames.join(', ')} (default: all but email)`,
    secondFactors,
    'second_factors',
  ),
  authenticatorApps: flag(
    'a user without a second factor sets up an authenticator app while signing in, if one is required',
    false,
    'authenticator_apps',
  ),
  adaptiveSecondFactor: flag('a remembered private device replaces the code', true, 'adaptive_second_factor'),
  allowPasswordEntry: flag('users can sign in with a password', true, 'allow_password_entry'),
  directorToDosEnabled: flag('directors see their to-dos at this site', true, 'director_to_dos_enabled'),
  identityServiceUrl: optional(
    'the address of the identity service (region) where the site is hosted, if it is another one',
    serviceUrl,
    'identity_service_url',
  ),
  passwordPolicy: {
    kind: 'text',
    help: 'differences from the default policy, as JSON',
    schema: passwordPolicy,
    initial: null,
  },
  disabled: flag('visitors cannot find it', false),
} satisfies Fields;

type SiteEntry = EntryOf<typeof fields>;
type PresentSite = {
  row: Selectable<SitesTable>;
  entry: Stored<SiteEntry>;
  /** In the order of groups: the names from the top of the group to this site. */
  path?: string[] | undefined;
};

/** The organisations that users sign in to. */
export const sites = defineResource<SiteEntry, PresentSite>({
  name: 'sites',
  singular: 'site',
  summary: 'the organisations that users sign in to',
  keys: ['name'],
  fields,
  columns: ['name', 'displayName', 'parent', 'listed', 'secondFactorRequired', 'disabled'],
  importedTables: ['sites'],
  operations: {
    read: 'sites:read',
    change: 'sites:write',
    delegated: 'sites:look',
    remove: 'sites:write',
  },
  filters: {
    parent: { flags: '--parent <site>', help: 'sites of this group' },
    search: { flags: '--search <text>', help: 'name or display name contains this text' },
    disabled: { flags: '--disabled', help: 'only disabled sites (--no-disabled: without them)' },
    tree: { flags: '--tree', help: 'in the order of groups: each site is followed by the sites below it' },
  },
  switchHelp: {
    disable: 'visitors can no longer find the site, and its sessions end; its data is kept',
    enable: 'visitors can find the site again',
  },
  removeHelp: 'delete the site with its memberships; its sessions end',

  async findPage(database, { parent, search, disabled, tree }, after, size, scope) {
    const afterName = after?.name === undefined ? undefined : siteNameKey(after.name);
    // The place of a foreign site in the tree would tell that it exists.
    if (tree === true && afterName !== undefined && scope !== 'all' && !scope.includes(afterName)) return [];
    let query = selectSites(database).limit(size);
    if (tree === true)
      query = query
        .innerJoin(pathsAfter(afterName), 'paths.id', 'sites.id')
        .select('paths.path')
        .orderBy('paths.path');
    else {
      query = query.orderBy('sites.name');
      if (afterName !== undefined) query = query.where('sites.name', '>', afterName);
    }
    if (scope !== 'all') query = query.where('sites.name', 'in', scope);
    if (typeof parent === 'string')
      query = query.where('parents.name', '=', sql<string>`any(${namesWithin(parent, scope)})`);
    if (typeof search === 'string')
      query = query.where(containsText(['sites.name', 'sites.display_name'], search));
    if (disabled !== undefined)
      query = query.where('sites.disabled_at', disabled === true ? 'is not' : 'is', null);
    return (await query.execute()).map(toPresent);
  },
  async find(database, entries, scope) {
    const found = await findSitesByName(
      database,
      entries.map(({ name }) => name),
      scope,
    );
    return ({ name }) => ({ present: found.get(name), target: { site: name } });
  },
  // The parent can be a site of somebody else.
  view: ({ entry }, scope) => ({
    ...entry,
    parent: entry.parent !== null && scope.includes(entry.parent) ? entry.parent : null,
  }),
  async describeItems(database, page, scope) {
    const isSeen = (name: string): boolean => scope === 'all' || scope.includes(name);
    const rows = await findInBatches(
      page.map(({ row }) => row.id),
      (batch) =>
        database
          .selectFrom('memberships')
          .select(({ fn }) => ['site_id', fn.countAll<string>().as('count')])
          .where('site_id', 'in', batch)
          .groupBy('site_id')
          .execute(),
    );
    const counts = new Map(rows.map((row) => [row.site_id, Number(row.count)]));
    return page.map(({ row, path }) => ({
      people: counts.get(row.id) ?? 0,
      ...(path && { depth: path.filter(isSeen).length - 1 }),
    }));
  },
  names: async (database, { from, to }) =>
    (
      await database
        .selectFrom('sites')
        .select('name')
        .where((where) => where.between(where.fn('length', ['name']), from, to))
        .execute()
    ).map(({ name }) => name),

  async check(planned, { context, transaction, isComplete, report }) {
    for (const site of planned) {
      const url = site.entry.identityServiceUrl;
      const invisible = site.present === undefined && findInvisibleFault(site.entry.name);
      if (typeof invisible === 'string') report(site, 'name', invisible);
      if (site.entry.secondFactorFrom !== null && !site.entry.secondFactorRequired)
        report(
          site,
          'secondFactorFrom',
          `has no effect without secondFactorRequired: set that too, or clear this field (site ${site.name})`,
        );
      // users are only redirected to regions that REGIONS lists (attacks and faults, S57)
      if (findHome(context.config, url ?? undefined) === undefined)
        report(site, 'identityServiceUrl', `${url} is not a region: REGIONS lists them (site ${site.name})`);
    }
    if (planned.every(({ entry }) => entry.parent === null)) return;
    const rows = await selectSites(transaction).execute();
    const parents = new Map(rows.map((row) => [row.name, row.parent_name]));
    for (const { name, entry } of planned) parents.set(name, entry.parent);
    for (const site of planned) {
      const { parent } = site.entry;
      if (parent === null) continue;
      if (!parents.has(parent)) {
        // the parent may be in a line that was omitted because of a problem
        if (isComplete) report(site, 'parent', `there is no site ${parent}`);
      } else if (depthOf(site.name, parents) === Infinity)
        report(site, 'parent', `${parent} would be its own ancestor`);
    }
    planned.sort((one, other) => depthOf(one.name, parents) - depthOf(other.name, parents));
  },
  async write(planned, { context, transaction, now, onWritten }) {
    const parents = await findSitesByName(
      transaction,
      planned.flatMap(({ entry }) => entry.parent ?? []),
    );
    const ids = new Map([...parents].map(([name, { row }]) => [name, row.id]));
    for (const { name, present } of planned) ids.set(name, present?.row.id ?? secureRandom.token(16));
    // Parents are written before their children, because the foreign key is checked at the end of each statement.
    for (const batch of inBatches(planned)) {
      await upsert(
        transaction,
        'sites',
        ['id'],
        batch.map((site) => toRow(site, ids, now)),
      );
      await onWritten(batch.length);
    }
    for (const site of planned)
      if (isDisabledNow(site))
        await recordEndedSessions(
          context,
          transaction,
          await endSessions(transaction, { site: site.name }, now),
        );
  },
  endsSessions: isDisabledNow,

  async remove({ row: { id, name } }, { context, transaction, now }) {
    const ended = await endSessions(transaction, { site: name }, now);
    await recordEndedSessions(context, transaction, ended);
    const { numUpdatedRows: children } = await transaction
      .updateTable('sites')
      .set({ parent_id: null })
      .where('parent_id', '=', id)
      .executeTakeFirst();
    const { numDeletedRows: memberships } = await transaction
      .deleteFrom('memberships')
      .where('site_id', '=', id)
      .executeTakeFirst();
    await transaction.deleteFrom('sites').where('id', '=', id).execute();
    return {
      deleted: {
        memberships: Number(memberships),
        sessions: ended.length,
        'sites removed from its group': Number(children),
      },
      kept: [
        'the users and their other memberships',
        `audit events with the name of the site, for ${context.config.audit.days} days`,
      ],
    };
  },
});

/** The names that a filter can mean, as far as they are within the scope: it must not tell who belongs to other sites. */
export function namesWithin(given: string, scope: Scope): string[] {
  return siteNameKeys(given).filter((name) => scope === 'all' || scope.includes(name));
}

/** The sites by the given names, as far as they are within the scope. */
export async function findSitesByName(
  database: Database,
  names: Iterable<string>,
  scope: Scope = 'all',
): Promise<Map<string, PresentSite>> {
  const given = [...names];
  const found = await findInBatches(given.flatMap(siteNameKeys), (batch) =>
    selectSites(database).where('sites.name', 'in', batch).execute(),
  );
  const sites = new Map(found.map((row) => [row.name, toPresent(row)]));
  return new Map(
    given.flatMap((name) => {
      const site = sites.get(siteNameKeys(name).find((key) => sites.has(key)) ?? '');
      const isHidden = site === undefined || (scope !== 'all' && !scope.includes(site.row.name));
      return isHidden ? [] : [[name, site]];
    }),
  );
}

function selectSites(database: Database) {
  return database
    .selectFrom('sites')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .selectAll('sites')
    .select('parents.name as parent_name');
}

/** The paths of all sites, or of those that follow the site in the order of groups. */
function pathsAfter(name: string | undefined) {
  const paths = sql<{ id: string; path: string[] }>`(
    with recursive found as (
      select id, name, array[name] as path from sites where parent_id is null
      union all
      select sites.id, sites.name, path || sites.name from sites join found on sites.parent_id = found.id
    ) select id, path from found
    where ${name === undefined ? sql`true` : sql`path > (select path from found where name = ${name})`})`;
  return paths.as('paths');
}

/** The length of the path to the top of the group; infinite in a cycle. */
function depthOf(name: string, parents: ReadonlyMap<string, string | null>): number {
  const seen = new Set<string>();
  for (let at: string | null | undefined = name; at !== null && at !== undefined; at = parents.get(at)) {
    if (seen.has(at)) return Infinity;
    seen.add(at);
  }
  return seen.size;
}

function toPresent(
  row: Selectable<SitesTable> & { parent_name: string | null; path?: string[] },
): PresentSite {
  const entry = toEntry(fields, row, {
    parent: row.parent_name,
    secondFactorFrom: row.second_factor_from?.toISOString() ?? null,
    passwordPolicy: row.password_policy,
    disabled: row.disabled_at !== null,
  });
  return { row, entry, path: row.path };
}

function toRow(
  { entry, present }: Planned<SiteEntry, PresentSite>,
  ids: ReadonlyMap<string, string>,
  now: Date,
): Record<string, unknown> {
  return {
    ...toColumns(fields, entry),
    id: ids.get(entry.name),
    display_name_key: displayNameKey(entry.displayName),
    parent_id: entry.parent === null ? null : ids.get(entry.parent),
    second_factor_from: entry.secondFactorFrom,
    password_policy: entry.passwordPolicy === null ? null : JSON.stringify(entry.passwordPolicy),
    disabled_at: entry.disabled ? (present?.row.disabled_at ?? now) : null,
    created_at: now,
  };
}
