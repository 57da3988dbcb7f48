import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database, SessionsTable } from '../store/schema.ts';
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

  async function findByHashes(hashes: string[], extend: boolean): Promise<FoundSession> {
    const row = await database
      .selectFrom('sessions')
      .selectAll()
      .where('id_hash', 'in', hashes)
      .executeTakeFirst();
    if (row === undefined || row.ended_at !== null) return { state: 'none', session: undefined };
    const now = clock.now();
    if (!isSignedIn(row)) {
      return { state: 'none', session: now < row.absolute_expires_at ? toSession(row) : undefined };
    }
    if (now >= row.absolute_expires_at || now >= addSeconds(row.last_seen_at, figures.idleSeconds)) {
      return { state: 'expired', session: undefined, browserId: row.browser_id, personId: row.person_id };
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

  return {
    find: (cookieValue, { extend }) =>
      cookieValue === undefined || !cookieValuePattern.test(cookieValue)
        ? Promise.resolve({ state: 'none', session: undefined })
        : findByHashes(keyedHashes(keyRing, cookieValue), extend),

    async open(browserId = random.token(16)) {
      const cookieValue = random.token();
      const now = clock.now();
      const row = await database
        .insertInto('sessions')
        .values({
          id_hash: keyedHash(keyRing, cookieValue),
          browser_id: browserId,
          methods: '[]',
          created_at: now,
          last_seen_at: now,
          absolute_expires_at: addSeconds(now, figures.absoluteSeconds),
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
      // One statement: at no moment are both ids alive, nor neither.
      const row = await at(transaction)
        .with('replaced', (query) =>
          query
            .updateTable('sessions')
            .set({ ended_at: now })
            .where('id_hash', '=', previous?.idHash ?? '')
            .where('ended_at', 'is', null)
            .returning('id_hash'),
        )
        .insertInto('sessions')
        .values({
          id_hash: idHash,
          browser_id: previous?.browserId ?? random.token(16),
          person_id: facts.personId,
          auth_site: facts.authSite ?? null,
          externally_authenticated: facts.externallyAuthenticated ?? false,
          connection_id: facts.connectionId ?? null,
          methods: JSON.stringify(facts.methods),
          authenticated_at: authenticatedAt < now ? authenticatedAt : now,
          created_at: now,
          last_seen_at: now,
          absolute_expires_at: absoluteExpiresAt < longest ? absoluteExpiresAt : longest,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (!isSignedIn(row)) throw new Error('A session was written without its person');
      return { session: toSignedIn(row), cookieValue };
    },

    async setAuthSite(idHash, authSite, transaction) {
      await at(transaction)
        .updateTable('sessions')
        .set({ auth_site: authSite ?? null })
        .where('id_hash', '=', idHash)
        .where('ended_at', 'is', null)
        .execute();
    },

    async leaveSite(personId, authSite) {
      await database
        .updateTable('sessions')
        .set({ auth_site: null })
        .where('person_id', '=', personId)
        .where('auth_site', '=', authSite)
        .execute();
    },

    async end(idHash, transaction) {
      await at(transaction)
        .updateTable('sessions')
        .set({ ended_at: clock.now() })
        .where('id_hash', '=', idHash)
        .where('ended_at', 'is', null)
        .execute();
    },

    async endAllOf(personId, { exceptIdHash, transaction } = {}) {
      const ended = await at(transaction)
        .updateTable('sessions')
        .set({ ended_at: clock.now() })
        .where('person_id', '=', personId)
        .where('ended_at', 'is', null)
        .$if(exceptIdHash !== undefined, (query) => query.where('id_hash', '!=', exceptIdHash ?? ''))
        .executeTakeFirst();
      return Number(ended.numUpdatedRows);
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
type SignedInRow = SessionRow & { person_id: string; authenticated_at: Date };

const isSignedIn = (row: SessionRow): row is SignedInRow =>
  row.person_id !== null && row.authenticated_at !== null;

function toSession(row: SessionRow): Session {
  return {
    idHash: row.id_hash,
    browserId: row.browser_id,
    personId: row.person_id ?? undefined,
    authSite: row.auth_site ?? undefined,
    externallyAuthenticated: row.externally_authenticated,
    connectionId: row.connection_id ?? undefined,
    methods: v.parse(methodsOfRow, row.methods),
    authenticatedAt: row.authenticated_at ?? undefined,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    absoluteExpiresAt: row.absolute_expires_at,
  };
}

function toSignedIn(row: SignedInRow): SignedInSession {
  return { ...toSession(row), personId: row.person_id, authenticatedAt: row.authenticated_at };
}
