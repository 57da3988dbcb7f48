import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RoleName, Scope } from './permissions.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { Actor } from './actor.ts';
import type { AdminContext } from './admin-context.ts';
import { RefusedError } from './problems.ts';

// How far an administrator of sites reaches. Accounts are shared by all boards, so an administrator may change an
// account only if no other board relies on it (docs/decisions/078-operators-without-a-shell.md).

/**
 * The names of the sites that the roles of administrators of a user reach: their sites and all sites below these.
 * `where`: a condition on each of these sites; what is below a site that does not meet it is not reached.
 */
export function sitesWithin(
  userId: RawBuilder<unknown>,
  where: RawBuilder<boolean> = sql`true`,
): RawBuilder<string[]> {
  return sql<string[]>`(
    with recursive reached as (
      select sites.id, sites.name from roles join sites on sites.id = roles.site_id
      where roles.user_id = ${userId} and ${where}
      union
      select sites.id, sites.name from sites join reached on sites.parent_id = reached.id where ${where}
    ) select coalesce(json_agg(name order by name), '[]') from reached)`;
}

const isWithin = (name: RawBuilder<unknown>, scope: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${name} = any(${[...scope]}::text[])`;

/** Whether a row of `users` is a member of a site within the scope. */
export function isMemberWithin(scope: Scope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`;
  return sql<boolean>`exists (
    select from memberships join sites on sites.id = memberships.site_id
    where memberships.user_id = users.id and ${isWithin(sql`sites.name`, scope)})`;
}

/** Whether the home, all memberships and all roles of a row of `users` are within the scope. */
export function isManagedWithin(scope: Scope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`;
  return sql<boolean>`(
    exists (select from sites where sites.id = users.home_site_id and ${isWithin(sql`sites.name`, scope)})
    and not exists (select from memberships join sites on sites.id = memberships.site_id
      where memberships.user_id = users.id and not ${isWithin(sql`sites.name`, scope)})
    and not exists (select from roles left join sites on sites.id = roles.site_id
      where roles.user_id = users.id and not coalesce(${isWithin(sql`sites.name`, scope)}, false)))`;
}

/** A role of a user: an administrator has a site, the others have none. */
export type HeldRole = { role: RoleName; site: string | null };

/** The roles of a row of `users`. */
export const heldRoles: RawBuilder<HeldRole[]> = sql<HeldRole[]>`(
  select coalesce(json_agg(json_build_object('role', role, 'site', sites.name) order by role, sites.name), '[]')
  from roles left join sites on sites.id = roles.site_id where roles.user_id = users.id)`;

/** Nobody acts on an account with a role that they could not give. */
export function mayGrant(actor: Actor, { role, site }: HeldRole): boolean {
  const scope = actor.scopeOf('roles:write');
  if (scope === undefined || scope === 'all') return scope === 'all';
  return role === 'administrator' && site !== null && scope.includes(site);
}

/**
 * Refuses what would leave the service without an owner who can sign in. The command line may do it.
 * @throws RefusedError
 */
export async function refuseWithoutLastOwner(
  { operation: { actor } }: Pick<AdminContext, 'operation'>,
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  if (actor.via === 'shell') return;
  const owners = await transaction
    .selectFrom('roles')
    .innerJoin('users', 'users.id', 'roles.user_id')
    .select('user_id')
    .where('role', '=', 'owner')
    .where((where) => where.or([where('status', '=', 'active'), where('user_id', '=', userId)]))
    .execute();
  if (owners.length !== 1 || owners[0]?.user_id !== userId) return;
  throw new RefusedError([
    {
      reason: 'the last owner can only be removed or disabled on the command line',
      code: 'last-owner',
      kind: 'conflict',
    },
  ]);
}
