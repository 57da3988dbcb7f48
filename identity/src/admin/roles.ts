import { siteNameMaximumLength, userNameMaximumLength } from '@anteroom/contract';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { siteNameKeys } from '../lib/names.ts';
import { secureRandom } from '../lib/random.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Database, DatabaseTransaction, RolesTable } from '../store/schema.ts';
import { countPeople } from './added-people.ts';
import { upsert } from './batches.ts';
import { mailAdministrators } from './board-mails.ts';
import { optional, required, text } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { findAccounts } from './memberships.ts';
import { roleNames } from './permissions.ts';
import type { Scope } from './permissions.ts';
import { RefusedError } from './problems.ts';
import { defineResource } from './resource.ts';
import { mayGrant, refuseWithoutLastOwner } from './scopes.ts';
import { findSitesByName } from './sites.ts';

const fields = {
  role: required(
    `one of ${roleNames.join(', ')}`,
    v.picklist(roleNames, `must be ${roleNames.join(', ')}`),
    'role',
  ),
  userName: required('user name or e-mail', text(userNameMaximumLength)),
  site: optional(
    'for an administrator: the site, whose sites below are included',
    v.pipe(text(siteNameMaximumLength), v.transform(siteNameKey)),
  ),
} satisfies Fields;

type RoleEntry = EntryOf<typeof fields>;
type PresentRole = {
  row: Selectable<RolesTable> & { user_name: string; name: string };
  entry: Stored<RoleEntry>;
};

/** Who may manage the service, and what they may do (`permissions.ts`). */
export const roles = defineResource<RoleEntry, PresentRole>({
  name: 'roles',
  singular: 'role',
  summary: 'who may manage the service in the console',
  keys: ['role', 'userName', 'site'],
  fields,
  operations: { read: 'users:read', change: 'roles:write', remove: 'roles:write' },
  nameOf: ({ role, userName, site }) =>
    typeof site === 'string' ? `${role} of ${site}: ${userName}` : `${role}: ${userName}`,
  filters: {
    role: { flags: '--role <role>', help: 'only this role' },
    site: { flags: '--site <site>', help: 'administrators of this site' },
    user: { flags: '--user <id>', help: 'roles of this user: user name, e-mail or id' },
  },
  removeHelp: 'take a role away; it ends with the next request',

  async findPage(database, { role, site, user }, after, size, scope) {
    let query = selectRoles(database)
      .orderBy('role')
      .orderBy('users.user_name')
      .orderBy('sites.name', (order) => order.asc().nullsFirst())
      .limit(size);
    if (scope !== 'all') query = query.where('sites.name', 'in', scope);
    if (typeof role === 'string') query = query.where('role', '=', role as RoleEntry['role']);
    if (typeof site === 'string') query = query.where('sites.name', 'in', siteNameKeys(site));
    if (typeof user === 'string') {
      const account = (await findAccounts(database, [user]))(user);
      query = query.where('user_id', '=', account?.id ?? '');
    }
    if (after?.role !== undefined) {
      const last = [after.role, after.userName ?? '', after.site ?? ''] as const;
      query = query.where((where) =>
        where(
          where.tuple(
            where.ref('role'),
            where.ref('users.user_name'),
            where.fn.coalesce('sites.name', where.val('')),
          ),
          '>',
          where.tuple(...last),
        ),
      );
    }
    return (await query.execute()).map(toPresent);
  },
  async find(database, entries, scope) {
    const accountOf = await findAccounts(
      database,
      entries.map(({ userName }) => userName),
    );
    const sites = await findSitesByName(
      database,
      entries.flatMap(({ site }) => site ?? []),
      scope,
    );
    const members = await findMembersWithin(database, scope);
    const rows = await selectRoles(database).execute();
    return ({ role, userName, site }) => {
      const account = accountOf(userName);
      const present = rows.find(
        (row) => row.user_id === account?.id && row.role === role && row.site_name === (site ?? null),
      );
      const isVisible = scope === 'all' || (typeof site === 'string' && sites.has(site));
      if (present !== undefined && isVisible)
        return { present: toPresent(present), target: targetOf(present.user_id, site) };
      const faults = [];
      if (typeof site === 'string' && !sites.has(site))
        faults.push({ column: 'site', reason: `there is no site ${site}`, kind: 'missing' } as const);
      // An administrator gives a role to people of the own sites.
      if (account === undefined || (members !== undefined && !members.has(account.id)))
        faults.push({ column: 'userName', reason: `there is no user ${userName}`, kind: 'missing' } as const);
      return { faults, target: targetOf(account?.id, site) };
    };
  },
  async findAt(database, { id = '' }, scope) {
    const row = await selectRoles(database).where('roles.id', '=', id).executeTakeFirst();
    const isVisible = scope === 'all' || scope.includes(row?.site_name ?? '');
    return row && isVisible
      ? { present: toPresent(row), target: targetOf(row.user_id, row.site_name) }
      : undefined;
  },
  describeItems: (_database, page) =>
    Promise.resolve(
      page.map(({ row }) => ({
        id: row.id,
        userId: row.user_id,
        name: row.name,
        createdAt: row.created_at.toISOString(),
      })),
    ),
  findObjection: ({ entry }, { context: { operation } }) =>
    mayGrant(operation.actor, entry)
      ? undefined
      : { column: 'role', reason: `you may not take the role ${entry.role}`, kind: 'forbidden' },
  mayAdd: ({ role, site }, scope) => role === 'administrator' && site !== null && scope.includes(site),

  async prepare(context, { scope, rows }) {
    // Each role is mailed to the whole board office.
    if (scope !== 'all') await countPeople(context, rows.length);
  },
  check(planned, { report }) {
    for (const role of planned) {
      const isOfSite = role.entry.role === 'administrator';
      if (isOfSite && role.entry.site === null)
        report(role, 'site', 'is required for an administrator', { code: 'required' });
      if (!isOfSite && role.entry.site !== null)
        report(role, 'site', `must be left out: the role ${role.entry.role} is for all sites`);
    }
  },
  async write(planned, { transaction, now }) {
    const sites = await findSitesByName(
      transaction,
      planned.flatMap(({ entry }) => entry.site ?? []),
    );
    const rows = planned.map(({ entry, target }) => ({
      id: secureRandom.token(16),
      user_id: target.userId,
      role: entry.role,
      site_id: sites.get(entry.site ?? '')?.row.id ?? null,
      created_at: now,
    }));
    await upsert(transaction, 'roles', ['id'], rows);
  },
  async afterwards(context, planned) {
    for (const { entry, target } of planned) {
      if (entry.site === null || target.userId === undefined) continue;
      await mailAdministrators(context, 'administratorAdded', { userId: target.userId, site: entry.site });
    }
  },
  async afterRemoval(context, { row, entry: { site } }) {
    if (site !== null)
      await mailAdministrators(context, 'administratorRemoved', { userId: row.user_id, site });
  },
  async remove({ row }, { context, transaction }) {
    if (row.role === 'owner') await refuseWithoutLastOwner(context, transaction, row.user_id);
    else if (context.operation.actor.via !== 'shell') await refuseLastAdministrator(transaction, row);
    await transaction.deleteFrom('roles').where('id', '=', row.id).execute();
    return { deleted: {}, kept: ['the account'] };
  },
});

/** @throws RefusedError for the last administrator of a site with people */
async function refuseLastAdministrator(
  transaction: DatabaseTransaction,
  role: PresentRole['row'],
): Promise<void> {
  if (role.site_id === null) return;
  const other = await transaction
    .selectFrom('roles')
    .innerJoin('users', 'users.id', 'roles.user_id')
    .select('roles.id')
    .where('site_id', '=', role.site_id)
    .where('roles.id', '!=', role.id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (other !== undefined) return;
  const member = await transaction
    .selectFrom('memberships')
    .select('user_id')
    .where('site_id', '=', role.site_id)
    .limit(1)
    .executeTakeFirst();
  if (member !== undefined)
    throw new RefusedError([
      {
        reason: 'the last administrator of a site with people can only be removed on the command line',
        code: 'last-administrator',
        kind: 'conflict',
      },
    ]);
}

/** The users to whom an administrator can give a role; undefined: every user. */
async function findMembersWithin(database: Database, scope: Scope): Promise<ReadonlySet<string> | undefined> {
  if (scope === 'all') return undefined;
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select('user_id')
    .where('sites.name', 'in', scope)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

const targetOf = (userId: string | undefined, site: string | null | undefined) => ({
  userId: userId,
  site: site ?? undefined,
});

function selectRoles(database: Database) {
  return database
    .selectFrom('roles')
    .innerJoin('users', 'users.id', 'roles.user_id')
    .leftJoin('sites', 'sites.id', 'roles.site_id')
    .selectAll('roles')
    .select(['users.user_name', 'users.first_name', 'users.last_name', 'sites.name as site_name']);
}

function toPresent(row: Awaited<ReturnType<ReturnType<typeof selectRoles>['execute']>>[number]): PresentRole {
  return {
    row: { ...row, name: `${row.first_name} ${row.last_name}`.trim() },
    entry: { role: row.role, userName: row.user_name, site: row.site_name },
  };
}
