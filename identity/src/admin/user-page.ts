import { findBounce } from '../messages/mail-bounces.ts';
import { listPasskeys } from '../factors/passkeys-store.ts';
import { kindOf } from '../passwords/hash-work.ts';
import type { Database } from '../store/schema.ts';
import type { AdminContext } from './admin-context.ts';
import { permit } from './actor.ts';
import type { Operation } from './permissions.ts';
import { listSessions } from './sessions.ts';
import type { PresentSession } from './sessions.ts';
import { findObjectionToChange, requireUserById } from './users.ts';
import type { PresentUser } from './users.ts';

/** How a user signs in. */
export type UserFactors = {
  password: { changedAt: string; mustChange: boolean; imported: string | null } | null;
  phoneNumber: string | null;
  app: { setUpAt: string } | null;
  passkeys: { name: string; createdAt: string; lastUsedAt: string | null }[];
  companies: { connection: string; lastUsedAt: string }[];
  /** Until when each remembered computer skips the code. */
  rememberedComputers: string[];
};

export type UserPage = {
  createdAt: string;
  isManaged: boolean;
  memberships: { site: string; displayName: string; label: string | null; mayEnter: boolean }[];
  roles: { id: string; role: string; site: string | null }[];
  bounce: { status: string; at: string } | null;
  /** What the actor may do with this account now. */
  may: Operation[];
  factors?: UserFactors;
  sessions?: PresentSession[];
};

const operationsOnUsers = [
  'users:help',
  'users:factors',
  'users:write',
  'users:remove',
  'roles:write',
] as const satisfies readonly Operation[];

/** The page of a user, as far as the actor may see it: an administrator sees the own sites alone. */
export async function describeUserPage(context: AdminContext, id: string): Promise<UserPage> {
  const { database } = context;
  const { actor } = context.operation;
  const scope = permit(context, 'users:read');
  const user = await requireUserById(database, id, scope);
  const isActable = findObjectionToChange(user, { context }) === undefined;
  const isHarmless = (operation: Operation): boolean =>
    operation === 'users:help' || operation === 'roles:write';
  const bounce = await findBounce(database, id);
  const sites = database
    .selectFrom('sites')
    .select(['sites.name as site', 'sites.display_name as displayName'])
    .$if(scope !== 'all', (query) => query.where('sites.name', 'in', scope === 'all' ? [] : scope));
  const memberships = await sites
    .innerJoin('memberships', 'memberships.site_id', 'sites.id')
    .select(['client_entitlement', 'entitlement_requirements_met as mayEnter'])
    .where('user_id', '=', id)
    .orderBy('sites.name')
    .execute();
  const roles = await database
    .selectFrom('roles')
    .leftJoin('sites', 'sites.id', 'roles.site_id')
    .select(['roles.id', 'role', 'sites.name as site'])
    .where('user_id', '=', id)
    .$if(scope !== 'all', (query) => query.where('sites.name', 'in', scope === 'all' ? [] : scope))
    .orderBy('role')
    .execute();
  return {
    createdAt: user.createdAt.toISOString(),
    isManaged: user.isManaged,
    memberships: memberships.map(({ client_entitlement: label, ...membership }) => ({
      ...membership,
      label: label === 'none' ? null : label,
    })),
    roles,
    bounce: bounce ? { status: bounce.status, at: bounce.at.toISOString() } : null,
    may: operationsOnUsers.filter(
      (operation) => actor.scopeOf(operation) !== undefined && (isActable || isHarmless(operation)),
    ),
    ...(user.isManaged && {
      factors: await readFactors(database, user),
      sessions: await listSessions(context, { user: { id } }),
    }),
  };
}

async function readFactors(
  database: Database,
  { id, entry, importedHash }: PresentUser,
): Promise<UserFactors> {
  const credentials = await database
    .selectFrom('credentials')
    .select(['must_change', 'changed_at'])
    .where('user_id', '=', id)
    .executeTakeFirst();
  const companies = await database
    .selectFrom('external_identities')
    .innerJoin('connections', 'connections.id', 'external_identities.connection_id')
    .select(['connections.name', 'last_used_at'])
    .where('user_id', '=', id)
    .execute();
  const computers = await database
    .selectFrom('remembered_devices')
    .select('expires_at')
    .where('user_id', '=', id)
    .execute();
  const app = await database
    .selectFrom('authenticator_apps')
    .select('created_at')
    .where('user_id', '=', id)
    .executeTakeFirst();
  const passkeys = await listPasskeys(database, id);
  return {
    password: credentials
      ? {
          changedAt: credentials.changed_at.toISOString(),
          mustChange: credentials.must_change,
          imported: importedHash === undefined ? null : kindOf(importedHash),
        }
      : null,
    phoneNumber: entry.phoneNumber,
    app: app ? { setUpAt: app.created_at.toISOString() } : null,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    companies: companies.map((row) => ({
      connection: row.name,
      lastUsedAt: row.last_used_at.toISOString(),
    })),
    rememberedComputers: computers.map((row) => row.expires_at.toISOString()),
  };
}
