import { sql } from 'kysely';
import { personalData } from '../store/personal-data.ts';
import type { Database } from '../store/schema.ts';

/** The columns of `users` with personal data, except the id, which only this service uses, and their names in the export. */
export const accountMembers = Object.entries<string | false>(personalData.users.columns)
  .filter(([column, meaning]) => meaning !== false && column !== 'id')
  .map(([column]) => ({
    column,
    name: column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  }));

/** The account page shows each member under a label of its locale files (`account.data.labels`). */
export type UserExport = Awaited<ReturnType<typeof exportUserData>>;

/**
 * Exports the user's own data (GDPR, article 15). Excludes hashes, secrets, and audit reasons, which are for operators.
 */
export async function exportUserData(database: Database, userId: string) {
  const account = await database
    .selectFrom('users')
    .select(accountMembers.map(({ column, name }) => sql.ref(column).as(name)))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const password = await database
    .selectFrom('credentials')
    .select(['changed_at as changedAt', 'must_change as mustChange'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const app = await database
    .selectFrom('authenticator_apps')
    .select('created_at as setUpAt')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const passkeys = await database
    .selectFrom('passkeys')
    .select([
      'name',
      'transports',
      'aaguid as authenticatorModel',
      'backed_up as isSynchronised',
      'sign_count as uses',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const rememberedComputers = await database
    .selectFrom('remembered_devices')
    .select(['created_at as rememberedAt', 'expires_at as until'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const memberships = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select([
      'sites.name as site',
      'sites.display_name as displayName',
      'client_entitlement as clientEntitlement',
      'entitlement_requirements_met as entitlementRequirementsMet',
      'chosen_at as chosenAt',
      'pinned',
      'memberships.created_at as since',
    ])
    .where('user_id', '=', userId)
    .orderBy('sites.name')
    .execute();
  const labels = await database
    .selectFrom('client_entitlements')
    .innerJoin('sites', 'sites.id', 'client_entitlements.site_id')
    .select(['sites.name as site', 'client_id as application', 'label'])
    .where('user_id', '=', userId)
    .orderBy('sites.name')
    .execute();
  const roles = await database
    .selectFrom('roles')
    .leftJoin('sites', 'sites.id', 'roles.site_id')
    .select(['role', 'sites.name as site', 'roles.created_at as since'])
    .where('user_id', '=', userId)
    .orderBy('roles.created_at')
    .execute();
  const identities = await database
    .selectFrom('external_identities')
    .innerJoin('connections', 'connections.id', 'external_identities.connection_id')
    .select([
      'connections.display_name as connection',
      'subject',
      'external_identities.created_at as since',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .execute();
  const sessions = await database
    .selectFrom('sessions')
    .select([
      'browser',
      'auth_site as site',
      'methods',
      'authenticated_at as signedInAt',
      'last_seen_at as lastSeenAt',
      'ended_at as endedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const toDos = await database
    .selectFrom('to_dos')
    .innerJoin('sites', 'sites.id', 'to_dos.site_id')
    .select([
      'sites.name as site',
      'pending_votes as pendingVotes',
      'open_questionnaires as openQuestionnaires',
      'minutes',
      'action_items as actionItems',
      'director_home_page_enabled as directorHomePageEnabled',
      'books',
      'seen_books as seenBooks',
      'updated_at as updatedAt',
    ])
    .where('user_id', '=', userId)
    .execute();
  const returnedMails = await database
    .selectFrom('mail_bounces')
    .select(['address', 'mail_bounces.status', 'bounced_at as at'])
    .where('user_id', '=', userId)
    .execute();
  const auditEvents = await database
    .selectFrom('audit_events')
    .select(['at', 'event', 'result', 'site', 'client_id as application', 'connection', 'address'])
    .where('user_id', '=', userId)
    .orderBy(sql`audit_events.number`)
    .execute();
  return {
    account,
    password: password ?? null,
    authenticatorApp: app ?? null,
    passkeys,
    rememberedComputers,
    memberships,
    labels,
    roles,
    identities,
    sessions,
    toDos,
    returnedMails,
    auditEvents,
  };
}
