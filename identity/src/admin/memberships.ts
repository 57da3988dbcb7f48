import { siteNameMaximumLength, userNameMaximumLength } from '@anteroom/contract';
import * as v from 'valibot';
import { signInNameKey, siteNameKeys } from '../lib/names.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import type { EndedSession } from '../sign-out/end-sessions.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { countPeople } from './added-people.ts';
import { containsText, findInBatches, inBatches, upsert } from './batches.ts';
import { clients } from './clients.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { findInvitations } from './invitations.ts';
import { flag, optional, required, text } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordChange, recordEndedSessions } from './operator-events.ts';
import { permitEverywhere } from './actor.ts';
import type { Scope } from './permissions.ts';
import { RefusedError } from './problems.ts';
import { defineResource } from './resource.ts';
import type { Planned } from './resource.ts';
import { findSitesByName } from './sites.ts';
import { searchedColumns, selectUsers } from './users.ts';

const labelMaximumLength = 100;
/** The stored value if there is no label (wire contract, "Sites"). */
export const noLabel = 'none';

const fields = {
  userName: required('user name or e-mail', text(userNameMaximumLength)),
  site: required('name of the site', v.pipe(text(siteNameMaximumLength), v.transform(siteNameKey))),
  entitlementRequirementsMet: flag(
    'may enter the site; otherwise the site is listed but cannot be entered',
    true,
  ),
  clientEntitlement: optional('the label beside the site', text(labelMaximumLength)),
} satisfies Fields;

type MembershipEntry = EntryOf<typeof fields>;
type PresentMembership = { userId: string; siteId: string; entry: Stored<MembershipEntry> };

const nameOf = ({ userName, site }: Pick<MembershipEntry, 'userName' | 'site'>): string =>
  `${userName} at ${site}`;

/** The memberships of users at sites. */
export const memberships = defineResource<MembershipEntry, PresentMembership>({
  name: 'members',
  singular: 'membership',
  summary: 'which users belong to which site',
  keys: ['userName', 'site'],
  fields,
  importedTables: ['memberships'],
  operations: { read: 'members:read', change: 'members:write', remove: 'members:write' },
  nameOf,
  uniqueIn: ({ userName, site }) => [{ column: 'userName', reason: `${signInNameKey(userName)} ${site}` }],
  filters: {
    site: { flags: '--site <site>', help: 'members of this site' },
    search: { flags: '--search <text>', help: 'a name or the e-mail contains this text' },
    user: { flags: '--user <user>', help: 'memberships of this user: user name or e-mail' },
    disabled: {
      flags: '--disabled',
      help: 'only memberships whose entitlement requirements are not met (--no-disabled: only the others)',
    },
  },
  switchHelp: {
    disable:
      'the entitlement requirements are not met: the site is listed but cannot be entered, and access to it ends',
    enable: 'the entitlement requirements are met',
  },
  removeHelp: 'remove the user from the site, and end access to it',
  toDisabled: (isDisabled) => ({ entitlementRequirementsMet: !isDisabled }),

  async findPage(database, { site, user, search, disabled }, after, size, scope) {
    let query = selectMemberships(database).orderBy('users.user_name').orderBy('sites.name').limit(size);
    if (scope !== 'all') query = query.where('sites.name', 'in', scope);
    if (typeof search === 'string') query = query.where(containsText(searchedColumns, search));
    if (after?.site !== undefined) {
      const last = [after.userName ?? '', after.site] as const;
      query = query.where((where) =>
        where(where.refTuple('users.user_name', 'sites.name'), '>', where.tuple(...last)),
      );
    } else if (after?.userName !== undefined) query = query.where('users.user_name', '>', after.userName);
    if (typeof site === 'string') query = query.where('sites.name', 'in', siteNameKeys(site));
    if (typeof user === 'string')
      query = query.where('users.id', 'in', (names) =>
        names.selectFrom('sign_in_names').select('user_id').where('name_key', '=', signInNameKey(user)),
      );
    if (disabled !== undefined)
      query = query.where('memberships.entitlement_requirements_met', '=', disabled !== true);
    return (await query.execute()).map(toPresent);
  },
  async find(database, entries, scope) {
    const ownerOf = await findAccounts(
      database,
      entries.map(({ userName }) => userName),
    );
    const sites = await findSitesByName(
      database,
      entries.map(({ site }) => site),
      scope,
    );
    const rows = await findInBatches(
      entries.flatMap(({ userName }) => ownerOf(userName)?.id ?? []),
      (batch) => selectMemberships(database).where('memberships.user_id', 'in', batch).execute(),
    );
    const pairOf = (userId: string, siteId: string): string => `${userId} ${siteId}`;
    const present = new Map(rows.map((row) => [pairOf(row.user_id, row.site_id), toPresent(row)]));
    const seen = new Set<string>();
    return ({ userName, site }) => {
      const account = ownerOf(userName);
      const siteId = sites.get(site)?.row.id;
      const isMember = account !== undefined && present.has(pairOf(account.id, siteId ?? ''));
      // A user name can be somebody else's e-mail, so an administrator names a new member by the e-mail or the id.
      const isNamed = scope === 'all' || isMember || account?.isSureName === true;
      const userId = isNamed ? account?.id : undefined;
      if (userId === undefined || siteId === undefined) {
        const noUser = {
          column: 'userName',
          reason: `there is no user ${userName}`,
          kind: 'missing',
        } as const;
        const noSite = { column: 'site', reason: `there is no site ${site}`, kind: 'missing' } as const;
        return {
          faults: [...(userId === undefined ? [noUser] : []), ...(siteId === undefined ? [noSite] : [])],
        };
      }
      const pair = pairOf(userId, siteId);
      // Two lines can name the same user differently, by user name and by e-mail.
      if (seen.has(pair))
        return {
          faults: [{ column: 'userName', reason: 'an earlier line has the same user and site' }],
        };
      seen.add(pair);
      return { present: present.get(pair), target: { userId: userId, site } };
    };
  },
  async findAt(database, { site = '', userId = '' }, scope) {
    const found = (await findSitesByName(database, [site], scope)).get(site);
    const row =
      found &&
      (await selectMemberships(database)
        .where('memberships.user_id', '=', userId)
        .where('memberships.site_id', '=', found.row.id)
        .executeTakeFirst());
    return row && { present: toPresent(row), target: { userId, site: row.site_name } };
  },
  mayAdd: ({ site }, scope) => scope.includes(site),
  describeItems: describeMembers,

  async prepare(context, { scope, rows, add }) {
    if (scope !== 'all' && add) await countPeople(context, rows.length);
  },
  async write(planned, { context, transaction, now, onWritten }) {
    const sites = await findSitesByName(
      transaction,
      planned.map(({ entry }) => entry.site),
    );
    for (const batch of inBatches(planned)) {
      const rows = batch.map(({ entry, target }) => ({
        user_id: target.userId ?? '',
        site_id: sites.get(entry.site)?.row.id ?? '',
        entitlement_requirements_met: entry.entitlementRequirementsMet,
        client_entitlement: entry.clientEntitlement ?? noLabel,
        created_at: now,
      }));
      await upsert(transaction, 'memberships', ['user_id', 'site_id'], rows);
      await onWritten(batch.length);
    }
    for (const { target, entry } of planned.filter(isBlockedNow))
      await endAccess(context, transaction, { userId: target.userId ?? '', site: entry.site }, now);
  },
  endsSessions: isBlockedNow,

  async remove({ userId, siteId, entry: { site } }, { context, transaction, now }) {
    const ended = await endAccess(context, transaction, { userId, site }, now);
    await transaction
      .deleteFrom('memberships')
      .where('user_id', '=', userId)
      .where('site_id', '=', siteId)
      .execute();
    return { deleted: { sessions: ended.length }, kept: [] };
  },
});

/** Whether a save takes the entitlement from a member who had it. */
function isBlockedNow({ entry, present }: Planned<MembershipEntry, PresentMembership>): boolean {
  return !entry.entitlementRequirementsMet && present?.entry.entitlementRequirementsMet === true;
}

/** Ends what the membership gave: sessions, grants and refresh tokens for the site. */
async function endAccess(
  context: AdminContext,
  transaction: DatabaseTransaction,
  member: { userId: string; site: string },
  now: Date,
): Promise<EndedSession[]> {
  const ended = await endSessions(transaction, member, now);
  await recordEndedSessions(context, transaction, ended);
  return ended;
}

/** Finds accounts by id, user name or e-mail. `isSureName`: by the id or the e-mail. */
export async function findAccounts(
  database: Database,
  names: readonly string[],
): Promise<(name: string) => { id: string; isSureName: boolean } | undefined> {
  const rows = await findInBatches(names, (batch) =>
    database
      .selectFrom('users')
      .leftJoin('sign_in_names', 'sign_in_names.user_id', 'users.id')
      .select(['id', 'email', 'name_key'])
      // A condition on either table would read both of them whole.
      .where('id', 'in', (found) =>
        found
          .selectFrom('sign_in_names')
          .select('user_id as id')
          .where('name_key', 'in', batch.map(signInNameKey))
          .union(found.selectFrom('users').select('id').where('id', 'in', batch)),
      )
      .execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = new Map(rows.map((row) => [row.name_key, row]));
  return (name) => {
    const key = signInNameKey(name);
    const row = byId.get(name) ?? byKey.get(key);
    return row && { id: row.id, isSureName: row.id === name || signInNameKey(row.email ?? '') === key };
  };
}

/** The people of a page of memberships. */
async function describeMembers(
  database: Database,
  page: readonly PresentMembership[],
  scope: Scope,
  now: Date,
): Promise<Record<string, unknown>[]> {
  const ids = page.map(({ userId }) => userId);
  const invitations = await findInvitations(database, ids, now);
  const people = await findInBatches(ids, (batch) =>
    selectUsers(database, scope).where('users.id', 'in', batch).execute(),
  );
  const byId = new Map(people.map((row) => [row.id, row]));
  return page.map(({ userId, entry: { site } }) => {
    const row = byId.get(userId);
    const invitation = invitations.get(userId);
    return {
      userId,
      firstName: row?.first_name,
      lastName: row?.last_name,
      email: row?.email,
      disabled: row?.status === 'disabled',
      isManaged: row?.is_managed === true,
      isAdministrator: row?.held_roles.some((held) => held.site === site) === true,
      invitation: {
        state: invitation?.state ?? 'none',
        until: invitation?.expiresAt.toISOString() ?? null,
      },
    };
  });
}

function selectMemberships(database: Database) {
  return database
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select([
      'memberships.user_id',
      'memberships.site_id',
      'users.user_name',
      'sites.name as site_name',
      'memberships.entitlement_requirements_met',
      'memberships.client_entitlement',
    ]);
}

type MembershipRow = Awaited<ReturnType<ReturnType<typeof selectMemberships>['execute']>>[number];

function toPresent(row: MembershipRow): PresentMembership {
  return {
    userId: row.user_id,
    siteId: row.site_id,
    entry: {
      userName: row.user_name,
      site: row.site_name,
      entitlementRequirementsMet: row.entitlement_requirements_met,
      clientEntitlement: row.client_entitlement === noLabel ? null : row.client_entitlement,
    },
  };
}

export const labelFields = ['userName', 'site', 'client', 'label'] as const;

/**
 * Sets the label that one application shows beside a user's site, in place of the label of the membership. An empty label
 * removes it. Returns the label and the names of the user, site and application.
 */
export async function setClientLabel(
  context: AdminContext,
  { userName, site, client, label: given }: Readonly<Record<(typeof labelFields)[number], string>>,
): Promise<{ name: string; label: string | null }> {
  const parsed = memberships.parse({ userName, site, clientEntitlement: given });
  if ('problems' in parsed) throw new RefusedError(parsed.problems);
  const label = (parsed.entry as MembershipEntry).clientEntitlement ?? null;
  permitEverywhere(context, 'members:write');
  return await runInTransaction(context, async (transaction) => {
    const member = await memberships.require(transaction, { userName, site });
    await clients.require(transaction, { id: client });
    const key = { user_id: member.userId, site_id: member.siteId, client_id: client };
    if (label === null) await deleteLabel(transaction, key);
    else
      await upsert(
        transaction,
        'client_entitlements',
        ['user_id', 'site_id', 'client_id'],
        [{ ...key, label }],
      );
    const name = nameOf(member.entry);
    const target = { userId: member.userId, clientId: client, site: member.entry.site };
    await recordChange(context, transaction, target, { resource: 'members', action: 'label', name });
    return { name: `${name} for ${client}`, label };
  });
}

async function deleteLabel(
  transaction: DatabaseTransaction,
  key: { user_id: string; site_id: string; client_id: string },
): Promise<void> {
  await transaction
    .deleteFrom('client_entitlements')
    .where((where) => where.and(key))
    .execute();
}

export async function listClientLabels(database: Database, client: string | undefined) {
  return await database
    .selectFrom('client_entitlements')
    .innerJoin('users', 'users.id', 'client_entitlements.user_id')
    .innerJoin('sites', 'sites.id', 'client_entitlements.site_id')
    .select(['users.user_name as userName', 'sites.name as site', 'client_id as client', 'label'])
    .$if(client !== undefined, (query) => query.where('client_id', '=', client ?? ''))
    .orderBy('users.user_name')
    .orderBy('sites.name')
    .orderBy('client_id')
    .execute();
}
