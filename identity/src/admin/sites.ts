import { siteNameMaximumLength } from '@anteroom/contract';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { findHome } from '../lib/home-region.ts';
import { secureRandom } from '../lib/random.ts';
import { displayNameKey } from '../lib/site-name.ts';
import { endSessions } from '../openid/end-sessions.ts';
import { sitePasswordPolicy } from '../passwords/policy.ts';
import { secondFactorNames, siteNameKey } from '../sites/sites-store.ts';
import type { Database, SitesTable } from '../store/schema.ts';
import { containsText, findInBatches, inBatches, upsert } from './batches.ts';
import { flag, optional, required, text, toColumns, toEntry, wholeNumber } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordEndedSessions } from './operator-events.ts';
import { defineResource } from './resource.ts';
import type { Planned } from './resource.ts';

const displayNameMaximumLength = 200;
const addressMaximumLength = 2000;

/** The name stands in addresses (`/api/ui/sites/{name}`), where these mean something else to whatever is on the way. */
const siteName = v.pipe(
  text(siteNameMaximumLength),
  v.transform(siteNameKey),
  v.maxLength(siteNameMaximumLength, `must have at most ${siteNameMaximumLength} characters`),
  v.check((name) => !/[/\\?#%]/.test(name), 'must not hold / \\ ? # or %'),
  v.check((name) => !/^\.{1,2}$/.test(name), 'must be more than dots'),
);

/** As the front end follows them: http(s), or a path of the page's own origin (wire contract, "Addresses that a server sends"). */
const disguise = /[\s\\]/;
const isHttp = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && /^https?:\/\/[^/?#]/i.test(address) && url.username === '' && url.password === '';
};
const ownOrigin = 'https://own.invalid';
const isOwnPath = (address: string): boolean => {
  const url = URL.parse(address, ownOrigin);
  return /^\/(?!\/)/.test(address) && url?.origin === ownOrigin && !url.pathname.startsWith('//');
};
const logoPath = v.pipe(
  text(addressMaximumLength),
  v.check(
    (address) => !disguise.test(address) && (isHttp(address) || isOwnPath(address)),
    'must be an http(s) address or a path that begins with one /',
  ),
);
const serviceUrl = v.pipe(
  text(addressMaximumLength),
  v.check(
    (address) => isHttp(address) && new URL(address).origin === address.replace(/\/$/, ''),
    'must be an origin such as https://eu.id.example, without a path',
  ),
  v.transform((address) => new URL(address).origin),
);

/** JSON, or the text of it. */
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

/** Names of second factors, the strongest first; each of them is as good as none named. */
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

const fields = {
  name: required('what visitors type to name it, in lower case', siteName, 'name'),
  displayName: required('what visitors read', v.optional(text(displayNameMaximumLength)), 'display_name'),
  parent: optional('the site whose group it belongs to', siteName),
  sequence: {
    kind: 'number',
    help: 'its position within the group',
    schema: wholeNumber(-1_000_000, 1_000_000),
    initial: 0,
    column: 'sequence',
  },
  logoPath: optional('address of the logo: https://… or a path of the service', logoPath, 'logo_path'),
  listed: flag(
    'visitors see the display name and the logo before they sign in, and find the site by its display name',
    true,
    'listed',
  ),
  secondFactorRequired: flag('every sign-in requires a code', false, 'second_factor_required'),
  secondFactors: optional(
    `which second factors count where one is required: some of ${secondFactorNames.join(', ')} (default: all)`,
    secondFactors,
    'second_factors',
  ),
  authenticatorApps: flag(
    'a user who has no second factor, where one is required, sets an authenticator app up while signing in',
    false,
    'authenticator_apps',
  ),
  adaptiveSecondFactor: flag(
    'a private computer may be remembered instead of a code each time',
    true,
    'adaptive_second_factor',
  ),
  allowPasswordEntry: flag('users sign in here with a password', true, 'allow_password_entry'),
  directorToDosEnabled: flag('directors see their to-dos of this site', true, 'director_to_dos_enabled'),
  identityServiceUrl: optional(
    "the site's home, when that is another identity service",
    serviceUrl,
    'identity_service_url',
  ),
  passwordPolicy: {
    kind: 'text',
    help: 'what differs from the default policy, as JSON',
    schema: passwordPolicy,
    initial: null,
  },
  disabled: flag('visitors do not find it', false),
} satisfies Fields;

type SiteEntry = EntryOf<typeof fields>;
type PresentSite = { row: Selectable<SitesTable>; entry: Stored<SiteEntry> };

/** The organisations that users sign in at. */
export const sites = defineResource<SiteEntry, PresentSite>({
  name: 'sites',
  singular: 'site',
  summary: 'the organisations that users sign in at',
  keys: ['name'],
  fields,
  importable: true,
  filters: {
    parent: { flags: '--parent <site>', help: 'of this group' },
    search: { flags: '--search <text>', help: 'with this in the name or the display name' },
    disabled: { flags: '--disabled', help: 'only disabled ones (--no-disabled: without them)' },
  },
  switching: {
    disable: 'visitors no longer find the site, and its sessions end; its data stays',
    enable: 'visitors find the site again',
  },
  removing: 'delete the site with its memberships; its sessions end',
  disabledAs: (disabled) => ({ disabled }),

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
    return ({ name }) => ({ present: found.get(name), concern: { site: name } });
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
      // an unlisted region is a home that users are never sent to (attacks and faults, S57)
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
        // the parent may be in a line that was left out
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
    // parents come first: they must exist when the statement of their children ends
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
        'sites that leave its group': Number(children),
      },
      kept: [
        'the users, with their other sites',
        `audit events that name the site, for ${context.config.audit.days} days after they happened`,
      ],
    };
  },
});

function isDisabledNow({ entry, present }: Planned<SiteEntry, PresentSite>): boolean {
  return entry.disabled && present?.entry.disabled === false;
}

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

/** How many sites are above it; infinite in a circle. */
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
    password_policy: entry.passwordPolicy === null ? null : JSON.stringify(entry.passwordPolicy),
    disabled_at: entry.disabled ? (present?.row.disabled_at ?? now) : null,
    created_at: now,
  };
}
