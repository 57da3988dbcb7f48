import { endSessions } from '../sign-out/end-sessions.ts';
import type { EndedSession, SessionSelector } from '../sign-out/end-sessions.ts';
import { isUnexpired } from '../sessions/create-sessions.ts';
import type { Tables } from '../store/schema.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordEndedSessions, recordOperation } from './operator-events.ts';
import { permitEverywhere } from './actor.ts';
import { RefusedError } from './problems.ts';
import { sites } from './sites.ts';
import { requireUserFor } from './users.ts';
import type { UserReference } from './users.ts';

export const sessionFields = [
  'session',
  'userName',
  'site',
  'methods',
  'signedInAt',
  'lastSeenAt',
  'endsAt',
] as const;

/** `session` is the keyed hash of the session's token, which cannot be used to sign in. */
export type PresentSession = Record<(typeof sessionFields)[number], string | null>;

const maximumListed = 10_000;

/** Lists the sessions that are valid now, the latest first. */
export async function listSessions(
  context: AdminContext,
  { user, site: siteName }: { user?: UserReference | undefined; site?: string | undefined },
): Promise<PresentSession[]> {
  const { database, clock, config } = context;
  const now = clock.now();
  if (user === undefined) permitEverywhere(context, 'users:read');
  const userId = user === undefined ? undefined : (await requireUserFor(context, 'users:read', user)).id;
  const site =
    siteName === undefined ? undefined : (await sites.require(database, { name: siteName })).row.name;
  const rows = await database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'id_hash',
      'user_name',
      'auth_site',
      'methods',
      'authenticated_at',
      'last_seen_at',
      'absolute_expires_at',
    ])
    .where('ended_at', 'is', null)
    .where(isUnexpired(now, config.sessions))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .$if(site !== undefined, (query) => query.where('auth_site', '=', site ?? ''))
    .orderBy('authenticated_at', 'desc')
    .orderBy('id_hash')
    .limit(maximumListed)
    .execute();
  return rows.map((row) => ({
    session: row.id_hash,
    userName: row.user_name,
    site: row.auth_site,
    methods: row.methods.map(({ method }) => method).join(' '),
    signedInAt: row.authenticated_at?.toISOString() ?? null,
    lastSeenAt: row.last_seen_at.toISOString(),
    endsAt: row.absolute_expires_at.toISOString(),
  }));
}

/** @throws RefusedError unless exactly one session id begins with the prefix */
async function findSessionByPrefix(
  { database }: AdminContext,
  prefix: string,
  ownerId?: string,
): Promise<string> {
  // the underscore is the only base64url character that LIKE interprets
  const pattern = /^[A-Za-z0-9_-]{6,43}$/.test(prefix) ? `${prefix.replaceAll('_', '\\_')}%` : undefined;
  const found =
    pattern === undefined
      ? []
      : await database
          .selectFrom('sessions')
          .select('id_hash')
          .where('id_hash', 'like', pattern)
          .where('user_id', ownerId === undefined ? 'is not' : '=', ownerId ?? null)
          .where('ended_at', 'is', null)
          .limit(2)
          .execute();
  const [only, another] = found;
  if (only === undefined) throw new RefusedError(`there is no session ${prefix}`, { kind: 'missing' });
  if (another !== undefined) throw new RefusedError(`several sessions begin with ${prefix}`);
  return only.id_hash;
}

/** One session by its id or a prefix of it, all sessions of a user or one of them, or all sessions at a site. */
export type SessionSelection =
  | { session: string }
  | { user: UserReference; session?: string | undefined }
  | { site: string };

/** Ends the sessions on every node, revokes the tokens that applications got through them, and notifies the applications. */
export async function endSelectedSessions(
  context: AdminContext,
  selection: SessionSelection,
  { dryRun = false }: { dryRun?: boolean | undefined },
): Promise<EndedSession[]> {
  const ended = await runInTransaction(
    context,
    async (transaction) => {
      const filter = await toSessionFilter({ ...context, database: transaction }, selection);
      const sessions = await endSessions(transaction, filter, context.clock.now());
      await recordEndedSessions(context, transaction, sessions);
      return sessions;
    },
    { dryRun },
  );
  if (!dryRun) await context.notifyApplications();
  return ended;
}

async function toSessionFilter(context: AdminContext, selection: SessionSelection): Promise<SessionSelector> {
  const { database } = context;
  if ('user' in selection) {
    const { id: userId } = await requireUserFor(context, 'users:factors', selection.user, database);
    if (selection.session === undefined) return { userId };
    return { idHashes: [await findSessionByPrefix(context, selection.session, userId)] };
  }
  permitEverywhere(context, 'users:factors');
  if ('session' in selection) return { idHashes: [await findSessionByPrefix(context, selection.session)] };
  return { site: (await sites.require(database, { name: selection.site })).row.name };
}

/**
 * Tables with valid sessions, tokens, codes and links. Records of used assertions, used tokens and failures are not
 * included, because they grant nothing.
 */
const validCredentialTables = [
  'openid_records',
  'sign_ins',
  'sign_outs',
  'one_time_codes',
  'password_links',
  'invitations',
  'refusal_links',
  'remembered_devices',
  'external_requests',
  'external_sessions',
  'region_departures',
  'region_arrivals',
  'sessions',
] as const satisfies readonly (keyof Tables)[];

/**
 * Ends every session and deletes every token, code and link after a database was restored from a backup: anything used
 * or revoked since the backup would be valid again (attacks and faults, F12). Returns the number of sessions.
 */
export async function endEverything(context: AdminContext): Promise<number> {
  return await runInTransaction(context, async (transaction) => {
    const { count } = await transaction
      .selectFrom('sessions')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('user_id', 'is not', null)
      .where('ended_at', 'is', null)
      .where('absolute_expires_at', '>', context.clock.now())
      .executeTakeFirstOrThrow();
    for (const table of validCredentialTables) await transaction.deleteFrom(table).execute();
    const details = { resource: 'sessions', action: 'end-everything', sessions: String(count) };
    await recordOperation(context, transaction, [{ event: 'operator.change', details }]);
    return Number(count);
  });
}
