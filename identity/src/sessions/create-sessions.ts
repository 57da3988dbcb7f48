import { sql } from 'kysely';
import type { Selectable, Updateable } from 'kysely';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import { tokenPattern } from '../lib/random.ts';
import { activeUntil, untouchedSeconds, worthExtendingBefore } from '../lib/sign-in-lives.ts';
import { arrayOf } from '../store/array-of.ts';
import { compileOnce } from '../store/compiled-query.ts';
import { deleteInBatches } from '../store/expired-rows.ts';
import { readTogether } from '../store/read-together.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import type { SessionsTable } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { findLatest } from './assurance.ts';
import { authenticationMethods } from './session.ts';
import type { AlsoRead, FoundSession, FoundWith, Session, Sessions, SignedInSession } from './session.ts';

export type SessionLifetimes = { idleSeconds: number; absoluteSeconds: number };

/**
 * The minimum interval between updates of a session's last use, so that a busy session causes one write a minute. A
 * session can therefore expire up to this much too early.
 */
const noteUseEverySeconds = 60;
/** How long an expired session is stored, so that the page can report the expiry. */
const rememberExpiredSeconds = 24 * 60 * 60;

const sessionColumns = [
  'id_hash',
  'browser_id',
  'user_id',
  'auth_site',
  'externally_authenticated',
  'connection_id',
  'sessions.security_version',
  'provider_session_uid',
  'methods',
  'authenticated_at',
  'sessions.created_at',
  'last_seen_at',
  'absolute_expires_at',
] as const;

const issuedColumns = sql.raw(sessionColumns.join(', '));

const methodsOfRow = v.array(
  v.object({
    method: v.picklist(authenticationMethods),
    at: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
  }),
);

export function createSessions(
  { database, clock, random, keyRing }: StoreContext,
  lifetimes: SessionLifetimes,
): Sessions {
  /** Looks up an active session, counts the use, and executes the queries of `also`, all in one statement. */
  async function findByHashes<Read extends Queries>(
    hashes: string[],
    extend: boolean,
    also: AlsoRead<Read> | undefined,
  ): Promise<FoundWith<Read>> {
    const now = clock.now();
    const browserSession = selectBrowserSession(database, { hashes: arrayOf(hashes), now });
    const { browser_session: row, ...read } = await readTogether<
      Queries & { browser_session: typeof browserSession }
    >(
      database,
      { browser_session: browserSession, ...also?.queries(sql`(select browser_id from browser_session)`) },
      [...(extend ? [countUse(now, lifetimes)] : []), ...(also?.changes ?? [])],
    );
    return { found: toFound(row, now), read: read as FirstRows<Read> };
  }

  function toFound(row: SessionRow | undefined, now: Date): FoundSession {
    if (row === undefined) return { state: 'none', session: undefined };
    if (!isSignedIn(row)) return { state: 'none', session: toSession(row) };
    if (now >= row.absolute_expires_at || now >= addSeconds(row.last_seen_at, lifetimes.idleSeconds)) {
      const { id_hash: idHash, browser_id: browserId, user_id: userId } = row;
      return { state: 'expired', session: undefined, idHash, browserId, userId };
    }
    return { state: 'valid', session: toSignedIn(row) };
  }

  const findWith: Sessions['findWith'] = (cookieValue, { extend }, also) =>
    cookieValue === undefined || !tokenPattern.test(cookieValue)
      ? Promise.resolve({ found: { state: 'none', session: undefined }, read: undefined })
      : findByHashes(keyedHashes(keyRing, cookieValue), extend, also);

  async function changeLive(idHash: string, change: Updateable<SessionsTable>): Promise<boolean> {
    const { numUpdatedRows } = await database
      .updateTable('sessions')
      .set(change)
      .where('id_hash', '=', idHash)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  return {
    find: async (cookieValue, options) => (await findWith(cookieValue, options)).found,
    findWith,

    async open(rows, expired) {
      const cookieValue = random.token();
      const now = clock.now();
      const row = await database
        .with('replaced', (query) =>
          query
            .updateTable('sessions')
            .set({ ended_at: now })
            .where('id_hash', '=', expired?.idHash ?? '')
            .where('ended_at', 'is', null)
            .returning('id_hash'),
        )
        .insertInto('sessions')
        .values(
          rows.bounded({
            id_hash: keyedHash(keyRing, cookieValue),
            browser_id: expired?.browserId ?? random.token(16),
            methods: '[]',
            created_at: now,
            last_seen_at: now,
            absolute_expires_at: addSeconds(now, untouchedSeconds),
          }),
        )
        .returning(sessionColumns)
        .executeTakeFirstOrThrow();
      return { session: toSession(row), cookieValue };
    },

    async signIn(previous, facts, { transaction, alongside } = {}) {
      const cookieValue = random.token();
      const now = clock.now();
      const longest = addSeconds(now, lifetimes.absoluteSeconds);
      const { absoluteExpiresAt = longest } = facts;
      // The clock of another region may be ahead.
      const methods = facts.methods.map(({ method, at }) => ({ method, at: at < now ? at : now }));
      const isConnectionEnabled =
        facts.connectionId === undefined
          ? sql`true`
          : sql`exists (select from connections where id = ${facts.connectionId} and disabled_at is null for share)`;
      const account = sql`select id, security_version from users
        where id = ${facts.account.id} and status = 'active' and security_version = ${facts.account.securityVersion}
          and ${isConnectionEnabled} and ${alongside?.when ?? sql`true`}
        for share`;
      const replaced = sql`update sessions set ended_at = ${now}
        where id_hash = ${previous?.idHash ?? ''} and ended_at is null and exists (select from account)
        returning user_id, provider_session_uid`;
      const issued = sql<SessionRow>`
        insert into sessions (user_id, security_version, provider_session_uid, id_hash, browser_id, auth_site,
          externally_authenticated, connection_id, browser, methods,
          authenticated_at, created_at, last_seen_at, absolute_expires_at)
        select account.id, account.security_version,
          (select provider_session_uid from replaced where replaced.user_id = account.id),
          ${keyedHash(keyRing, cookieValue)}, ${previous?.browserId ?? random.token(16)}, ${facts.authSite ?? null}::text,
          ${facts.externallyAuthenticated ?? false}::boolean, ${facts.connectionId ?? null}::text,
          ${facts.browser ?? null}::text, ${JSON.stringify(methods)}::jsonb,
          ${findLatest(methods) ?? now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
          ${absoluteExpiresAt < longest ? absoluteExpiresAt : longest}::timestamptz
        from account ${previous?.idHash === undefined ? sql`` : sql`where exists (select from replaced)`}
        returning ${issuedColumns}`;
      // A single statement, so that exactly one of the two session ids is valid at any time. Like every account change,
      // it locks the account's row first, to avoid deadlocks.
      const rows = await readTogether<Queries & { issued: typeof issued }>(
        transaction ?? database,
        { account, replaced, issued, ...alongside?.parts(sql`exists (select from issued)`) },
        alongside?.changes?.(sql`issued`),
        alongside === undefined ? ['issued'] : ['issued', alongside.last],
      );
      if (rows.issued === undefined) return undefined;
      if (!isSignedIn(rows.issued)) throw new Error('The new session has no user');
      const isWrittenAlongside = alongside !== undefined && rows[alongside.last] !== undefined;
      return { session: toSignedIn(rows.issued), cookieValue, isWrittenAlongside };
    },

    setAuthSite: (idHash, authSite) => changeLive(idHash, { auth_site: authSite ?? null }),

    async clearSite(userId, authSite) {
      await database
        .updateTable('sessions')
        .set({ auth_site: null })
        .where('user_id', '=', userId)
        .where('auth_site', '=', authSite)
        .execute();
    },

    prune() {
      const now = clock.now();
      const longAgo = addSeconds(now, -rememberExpiredSeconds);
      return deleteInBatches(
        database,
        { table: 'sessions', key: ['id_hash'] },
        sql`absolute_expires_at < ${longAgo}
          or (user_id is null and absolute_expires_at < ${now})
          or ended_at < ${longAgo}`,
      );
    },
  };
}

const selectBrowserSession = compileOnce((database, { hashes, now }: { hashes: string[]; now: Date }) =>
  database
    .selectFrom('sessions')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .select(sessionColumns)
    .where('id_hash', '=', sql<string>`any(${hashes})`)
    .where('ended_at', 'is', null)
    // An account change ends the account's sessions. This condition also excludes a session that began at the same
    // moment.
    .where(
      sql<boolean>`case when ${isOfUser}
        then users.status = 'active' and users.security_version = sessions.security_version
        else absolute_expires_at > ${now} end`,
    )
    .limit(1),
);

type SessionRow = Omit<Selectable<SessionsTable>, 'browser' | 'ended_at'>;
type SignedInRow = SessionRow & { user_id: string; security_version: number; authenticated_at: Date };

const isOfUser = sql`(sessions.user_id is not null and sessions.security_version is not null
  and sessions.authenticated_at is not null)`;

/** Whether a signed-in session that has not ended is within its idle and absolute lifetimes. */
export function isUnexpired(now: Date, { idleSeconds }: Pick<SessionLifetimes, 'idleSeconds'>) {
  return sql<boolean>`(sessions.last_seen_at > ${addSeconds(now, -idleSeconds)} and sessions.absolute_expires_at > ${now})`;
}

/**
 * The part of the statement that counts a use of the session, at most once a minute. For a signed-in session, it resets the idle
 * limit; an anonymous session is extended up to its absolute limit. A use is not counted while another statement holds
 * the session: that is a request of the same browser, or ends the session. So this part never waits for a lock, and
 * cannot cause a deadlock before or after any other part.
 */
function countUse(now: Date, lifetimes: SessionLifetimes) {
  const limit = sql`sessions.created_at + make_interval(secs => ${lifetimes.absoluteSeconds})`;
  return sql`used as (
    update sessions set
      last_seen_at = case when ${isOfUser} then ${now} else last_seen_at end,
      absolute_expires_at = case when ${isOfUser} then absolute_expires_at else least(${activeUntil(now)}, ${limit}) end
    where id_hash = (
      select id_hash from sessions
      where id_hash = (select id_hash from browser_session) and ended_at is null and case when ${isOfUser}
        then ${isUnexpired(now, lifetimes)} and last_seen_at <= ${addSeconds(now, -noteUseEverySeconds)}
        else absolute_expires_at < ${limit} and absolute_expires_at <= ${worthExtendingBefore(now)} end
      for no key update skip locked))`;
}

const isSignedIn = (row: SessionRow): row is SignedInRow =>
  row.user_id !== null && row.security_version !== null && row.authenticated_at !== null;

function toSession(row: SessionRow): Session {
  return {
    idHash: row.id_hash,
    browserId: row.browser_id,
    userId: row.user_id ?? undefined,
    authSite: row.auth_site ?? undefined,
    externallyAuthenticated: row.externally_authenticated,
    connectionId: row.connection_id ?? undefined,
    providerSessionUid: row.provider_session_uid ?? undefined,
    methods: v.parse(methodsOfRow, row.methods),
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    absoluteExpiresAt: row.absolute_expires_at,
  };
}

function toSignedIn(row: SignedInRow): SignedInSession {
  return {
    ...toSession(row),
    userId: row.user_id,
    securityVersion: row.security_version,
  };
}
