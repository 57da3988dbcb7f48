import { sql } from 'kysely';
import type { Selectable, Updateable } from 'kysely';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import { findLaterEnd, untouchedSeconds } from '../lib/sign-in-lives.ts';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database, PersonStatus, SessionsTable } from '../store/schema.ts';
import { authenticationMethods } from './session.ts';
import type { FoundSession, Session, Sessions, SignedInSession } from './session.ts';

export type SessionFigures = { idleSeconds: number; absoluteSeconds: number };

/** A visit is noted at most this often: one statement a minute for a busy session, and the idle limit is at most this much shorter. */
const noteVisitEverySeconds = 60;
/** An expired session is remembered this long, so that its browser is told "expired" and not "never seen". */
const rememberExpiredSeconds = 24 * 60 * 60;

const methodsOfRow = v.array(v.picklist(authenticationMethods));

export function createSessions(
  dependencies: { database: Database; clock: Clock; random: Random; keyRing: KeyRing },
  figures: SessionFigures,
): Sessions {
  const { database, clock, random, keyRing } = dependencies;

  /** Cookie values are 256 random bits: whatever has another length was never ours and costs no statement. */
  const cookieValuePattern = /^[A-Za-z0-9_-]{43}$/;

  const at = (transaction: Database | undefined): Database => transaction ?? database;

  /** A visitor who is not signed in yet is active: the session gets its whole time again, up to the absolute limit. */
  async function extendAnonymous(row: SessionRow, now: Date): Promise<void> {
    const limit = addSeconds(row.created_at, figures.absoluteSeconds);
    const end = findLaterEnd(row.absolute_expires_at, now);
    if (end === undefined || row.absolute_expires_at >= limit) return;
    await database
      .updateTable('sessions')
      .set({ absolute_expires_at: end < limit ? end : limit })
      .where('id_hash', '=', row.id_hash)
      .where('ended_at', 'is', null)
      .execute();
  }

  async function findByHashes(hashes: string[], extend: boolean): Promise<FoundSession> {
    const row = await database
      .selectFrom('sessions')
      .leftJoin('people', 'people.id', 'sessions.person_id')
      .selectAll('sessions')
      .select(['people.security_version as account_version', 'people.status'])
      .where('id_hash', 'in', hashes)
      .executeTakeFirst();
    if (row === undefined || row.ended_at !== null || hasAccountChanged(row))
      return { state: 'none', session: undefined };
    const now = clock.now();
    if (!isSignedIn(row)) {
      if (now >= row.absolute_expires_at) return { state: 'none', session: undefined };
      if (extend) await extendAnonymous(row, now);
      return { state: 'none', session: toSession(row) };
    }
    if (now >= row.absolute_expires_at || now >= addSeconds(row.last_seen_at, figures.idleSeconds)) {
      const { id_hash: idHash, browser_id: browserId, person_id: personId } = row;
      return { state: 'expired', session: undefined, idHash, browserId, personId };
    }
    if (extend && now >= addSeconds(row.last_seen_at, noteVisitEverySeconds)) {
      await database
        .updateTable('sessions')
        .set({ last_seen_at: now })
        .where('id_hash', '=', row.id_hash)
        .where('last_seen_at', '<', now)
        .execute();
    }
    return { state: 'valid', session: toSignedIn(row) };
  }

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
    find: (cookieValue, { extend }) =>
      cookieValue === undefined || !cookieValuePattern.test(cookieValue)
        ? Promise.resolve({ state: 'none', session: undefined })
        : findByHashes(keyedHashes(keyRing, cookieValue), extend),

    async open(expired) {
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
        .values({
          id_hash: keyedHash(keyRing, cookieValue),
          browser_id: expired?.browserId ?? random.token(16),
          methods: '[]',
          created_at: now,
          last_seen_at: now,
          absolute_expires_at: addSeconds(now, untouchedSeconds),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { session: toSession(row), cookieValue };
    },

    async signIn(previous, facts, transaction) {
      const cookieValue = random.token();
      const now = clock.now();
      const idHash = keyedHash(keyRing, cookieValue);
      const longest = addSeconds(now, figures.absoluteSeconds);
      const { absoluteExpiresAt = longest, authenticatedAt = now } = facts;
      // One statement: at no moment are both ids alive, nor neither. It holds the account's row first, as every change of the account
      // does, so that the two never wait for each other crosswise.
      const row = await at(transaction)
        .with('account', (query) =>
          query
            .selectFrom('people')
            .select(['people.id', 'people.security_version'])
            .where('people.id', '=', facts.account.id)
            .where('status', '=', 'active')
            .where('security_version', '=', facts.account.securityVersion)
            .$if(facts.connectionId !== undefined, (account) =>
              account.where((where) =>
                where.exists(
                  where
                    .selectFrom('connections')
                    .select('connections.id')
                    .where('connections.id', '=', facts.connectionId ?? '')
                    .where('connections.disabled_at', 'is', null)
                    .forShare(),
                ),
              ),
            )
            .forShare(),
        )
        .with('replaced', (query) =>
          query
            .updateTable('sessions')
            .set({ ended_at: now })
            .where('id_hash', '=', previous?.idHash ?? '')
            .where('ended_at', 'is', null)
            .where((where) => where.exists(where.selectFrom('account').select('account.id')))
            .returning(['person_id', 'provider_session_uid']),
        )
        .insertInto('sessions')
        .columns([
          'person_id',
          'security_version',
          'provider_session_uid',
          'id_hash',
          'browser_id',
          'auth_site',
          'externally_authenticated',
          'connection_id',
          'browser',
          'methods',
          'authenticated_at',
          'created_at',
          'last_seen_at',
          'absolute_expires_at',
        ])
        .expression((query) =>
          query
            .selectFrom('account')
            .$if(previous?.idHash !== undefined, (account) =>
              account.where((where) => where.exists(where.selectFrom('replaced').select('person_id'))),
            )
            .select((select) => [
              'account.id',
              'account.security_version',
              select
                .selectFrom('replaced')
                .select('replaced.provider_session_uid')
                .whereRef('replaced.person_id', '=', 'account.id')
                .as('provider_session_uid'),
              sql`${idHash}`.as('id_hash'),
              sql`${previous?.browserId ?? random.token(16)}`.as('browser_id'),
              sql`${facts.authSite ?? null}::text`.as('auth_site'),
              sql`${facts.externallyAuthenticated ?? false}::boolean`.as('externally_authenticated'),
              sql`${facts.connectionId ?? null}::text`.as('connection_id'),
              sql`${facts.browser ?? null}::text`.as('browser'),
              sql`${JSON.stringify(facts.methods)}::jsonb`.as('methods'),
              sql`${authenticatedAt < now ? authenticatedAt : now}::timestamptz`.as('authenticated_at'),
              sql`${now}::timestamptz`.as('created_at'),
              sql`${now}::timestamptz`.as('last_seen_at'),
              sql`${absoluteExpiresAt < longest ? absoluteExpiresAt : longest}::timestamptz`.as(
                'absolute_expires_at',
              ),
            ]),
        )
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      if (!isSignedIn(row)) throw new Error('A session was written without its person');
      return { session: toSignedIn(row), cookieValue };
    },

    setAuthSite: (idHash, authSite) => changeLive(idHash, { auth_site: authSite ?? null }),
    setProviderSession: (idHash, uid) => changeLive(idHash, { provider_session_uid: uid }),

    async leaveSite(personId, authSite) {
      await database
        .updateTable('sessions')
        .set({ auth_site: null })
        .where('person_id', '=', personId)
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
          or (person_id is null and absolute_expires_at < ${now})
          or ended_at < ${longAgo}`,
      );
    },
  };
}

type SessionRow = Selectable<SessionsTable>;
type SignedInRow = SessionRow & { person_id: string; security_version: number; authenticated_at: Date };

/** Whoever changes the account ends its sessions; this holds also where a session began at the same moment. */
function hasAccountChanged(
  row: SessionRow & { account_version: number | null; status: PersonStatus | null },
) {
  return isSignedIn(row) && (row.status !== 'active' || row.account_version !== row.security_version);
}

const isSignedIn = (row: SessionRow): row is SignedInRow =>
  row.person_id !== null && row.security_version !== null && row.authenticated_at !== null;

function toSession(row: SessionRow): Session {
  return {
    idHash: row.id_hash,
    browserId: row.browser_id,
    personId: row.person_id ?? undefined,
    authSite: row.auth_site ?? undefined,
    externallyAuthenticated: row.externally_authenticated,
    connectionId: row.connection_id ?? undefined,
    providerSessionUid: row.provider_session_uid ?? undefined,
    methods: v.parse(methodsOfRow, row.methods),
    authenticatedAt: row.authenticated_at ?? undefined,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    absoluteExpiresAt: row.absolute_expires_at,
  };
}

function toSignedIn(row: SignedInRow): SignedInSession {
  return {
    ...toSession(row),
    personId: row.person_id,
    securityVersion: row.security_version,
    authenticatedAt: row.authenticated_at,
  };
}
