import { siteNameMaximumLength } from '@anteroom/contract';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { parseIsoMoment } from '../lib/clock.ts';
import { displayNameKey } from '../lib/names.ts';
import { secureRandom } from '../lib/random.ts';
import { endSessions } from '../openid/end-sessions.ts';
import { sitePasswordPolicy } from '../passwords/policy.ts';
import { findHome } from '../sites/resolve-site.ts';
import { secondFactorNames, siteNameKey } from '../sites/sites-store.ts';
import type { Database, SitesTable } from '../store/schema.ts';
import { addressMaximumLength, isHttpAddress } from './addresses.ts';
import { containsText, findInBatches, inBatches, upsert } from './batches.ts';
import { flag, optional, required, text, toColumns, toEntry, wholeNumber } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordEndedSessions } from './operator-events.ts';
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

/** Names of second factors, the strongest first. A list of all factors has the same effect as no list. */
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
  v.transform((names) => secondFactorNames.filter((name) => names.includes(name))),
  v.transform((names) => (names.length === secondFactorNames.length ? null : names.join(','))),
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
  logoPath: optional('address of the logo: https://… or a path of the service', logoPath, 'logo_path'),
  listed: flag(
    'visitors see its display name and logo before they sign in, and can find it by its display name',
    true,
    'listed',
  ),
  secondFactorRequired: flag('every sign-in requires a code', false, 'second_factor_required'),
  secondFactorFrom: optional(
    'when the second factor becomes required: a day (UTC) or a time such as 2027-01-15T08:00+01:00',
    moment,
  ),
  secondFactors: optional(
    `the accepted second factors: some of ${secondFactorNames.join(', ')} (default: all)`,
    secondFactors,
    'second_factors',
  ),
  authenticatorApps: flag(
    'a user without a second factor sets up an authenticator app while signing in, if one is required',
    false,
    'authenticator_apps',
  ),
  adaptiveSecondFactor: flag(
    'a remembered private computer replaces the code',
    true,
    'adaptive_second_factor',
  ),
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
type PresentSite = { row: Selectable<SitesTable>; entry: Stored<SiteEntry> };

/** The organisations that users sign in to. */
export const sites = defineResource<SiteEntry, PresentSite>({
  name: 'sites',
  singular: 'site',
  summary: 'the organisations that users sign in to',
  keys: ['name'],
  fields,
  importable: true,
  filters: {
    parent: { flags: '--parent <site>', help: 'sites of this group' },
    search: { flags: '--search <text>', help: 'name or display name contains this text' },
    disabled: { flags: '--disabled', help: 'only disabled sites (--no-disabled: without them)' },
  },
  switchHelp: {
    disable: 'visitors can no longer find the site, and its sessions end; its data is kept',
    enable: 'visitors can find the site again',
  },
  removeHelp: 'delete the site with its memberships; its sessions end',
  toDisabled: (disabled) => ({ disabled }),

  async findPage(database, { parent, search, disabled }, after, size) {
    let query = selectSites(database).orderBy('sites.name').limit(size);
    if (after?.name !== undefined) query = query.where('sites.name', '>', siteNameKey(after.name));
    if (typeof parent === 'string') query = query.where('parents.name', '=', siteNameKey(parent));
    if (typeof search === 'string')
      query = query.where(containsText(['sites.name', 'sites.display_name'], search));
    if (disabled !== undefined)
      query = query.where('sites.disabled_at', disabled === true ? 'is not' : 'is', null);
    return (await query.execute()).map(toPresent);
  },
  async find(database, entries) {
    const found = await findSitesByName(
      database,
      entries.map(({ name }) => name),
    );
    return ({ name }) => ({ present: found.get(name), target: { site: name } });
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

export async function findSitesByName(
  database: Database,
  names: Iterable<string>,
): Promise<Map<string, PresentSite>> {
  const found = await findInBatches(names, (batch) =>
    selectSites(database).where('sites.name', 'in', batch).execute(),
  );
  return new Map(found.map((row) => [row.name, toPresent(row)]));
}

function selectSites(database: Database) {
  return database
    .selectFrom('sites')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .selectAll('sites')
    .select('parents.name as parent_name');
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

function toPresent(row: Selectable<SitesTable> & { parent_name: string | null }): PresentSite {
  const entry = toEntry(fields, row, {
    parent: row.parent_name,
    secondFactorFrom: row.second_factor_from?.toISOString() ?? null,
    passwordPolicy: row.password_policy,
    disabled: row.disabled_at !== null,
  });
  return { row, entry };
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
