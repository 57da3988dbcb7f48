import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { beginSession, provedNow } from '../../testing/begin-session.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import type { SessionSelector } from '../sign-out/end-sessions.ts';
import { raiseSecurityVersion } from '../users/users-store.ts';
import type { Database } from '../store/schema.ts';
import { visitorRows } from '../store/visitor-rows.ts';
import { createSessions } from './create-sessions.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';

const lifetimes = { idleSeconds: 30 * 60, absoluteSeconds: 12 * 3600 };
const key = createSecretKey(Buffer.alloc(32, 1));
const extend = { extend: true };

describeStore('sessions', (store) => {
  const setUp = (keyRing: KeyRing = [key]) => {
    const { database } = store();
    const clock = movableClock();
    return {
      database,
      clock,
      sessions: createSessions({ database, clock, random: secureRandom, keyRing }, lifetimes),
      end: (selector: SessionSelector) =>
        database.transaction().execute((transaction) => endSessions(transaction, selector, clock.now())),
    };
  };

  test('a missing, invented or malformed cookie belongs to no session', async () => {
    const { sessions } = setUp();
    for (const value of [undefined, '', 'x'.repeat(43), `${'x'.repeat(42)}'`, 'a'.repeat(5000)]) {
      expect(await sessions.find(value, extend)).toEqual({ state: 'none', session: undefined });
    }
  });

  describe('an anonymous session', () => {
    const gone = { state: 'none', session: undefined };

    test('expires after 15 minutes without use [S67]', async () => {
      const { sessions, clock } = setUp();
      const [first, second] = [await sessions.open(visitorRows), await sessions.open(visitorRows)];
      expect(first.session.userId).toBeUndefined();
      clock.advanceSeconds(15 * 60 - 1);
      expect(await sessions.find(first.cookieValue, extend)).toMatchObject({
        state: 'none',
        session: { idHash: first.session.idHash },
      });
      clock.advanceSeconds(1);
      expect(await sessions.find(second.cookieValue, extend)).toEqual(gone);
    });

    test('lasts 30 minutes after each use', async () => {
      const { sessions, clock } = setUp();
      const { cookieValue, session } = await sessions.open(visitorRows);
      for (const pauseSeconds of [14 * 60, 29 * 60, 30, 29 * 60, 29 * 60]) {
        clock.advanceSeconds(pauseSeconds);
        expect(await sessions.find(cookieValue, extend)).toMatchObject({
          session: { idHash: session.idHash },
        });
      }
      clock.advanceSeconds(30 * 60);
      expect(await sessions.find(cookieValue, extend)).toEqual(gone);
    });

    test('is not extended by background calls or beyond the absolute limit', async () => {
      const { sessions, clock } = setUp();
      const [idle, busy] = [await sessions.open(visitorRows), await sessions.open(visitorRows)];
      const isAlive = async (cookieValue: string, options: { extend: boolean }) =>
        (await sessions.find(cookieValue, options)).session !== undefined;
      clock.advanceSeconds(10 * 60);
      expect(await isAlive(idle.cookieValue, { extend: false })).toBe(true);
      expect(await isAlive(busy.cookieValue, extend)).toBe(true);
      clock.advanceSeconds(5 * 60);
      expect(await isAlive(idle.cookieValue, { extend: false })).toBe(false);
      for (let seconds = 15 * 60; seconds < lifetimes.absoluteSeconds; seconds += 15 * 60) {
        expect(await isAlive(busy.cookieValue, extend)).toBe(true);
        clock.advanceSeconds(15 * 60);
      }
      expect(await isAlive(busy.cookieValue, extend)).toBe(false);
    });

    test('is not revived after its end by a request in flight', async () => {
      const { sessions, database, clock } = setUp();
      const { cookieValue, session } = await sessions.open(visitorRows);
      const userId = await addUser(database, clock.now());
      clock.advanceSeconds(10 * 60);
      await Promise.all([beginSession(sessions, userId, {}, session), sessions.find(cookieValue, extend)]);
      expect(await sessions.find(cookieValue, extend)).toEqual(gone);
    });
  });

  test('signing in changes the session id at once, keeps the browser id and invalidates the old id [S22]', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const before = await sessions.open(visitorRows);
    const after = await beginSession(sessions, userId, { authSite: 'harbor' }, before.session);

    expect(after.cookieValue).not.toBe(before.cookieValue);
    expect(after.session.browserId).toBe(before.session.browserId);
    expect(await sessions.find(before.cookieValue, extend)).toEqual({ state: 'none', session: undefined });
    expect(await sessions.find(after.cookieValue, extend)).toMatchObject({
      state: 'valid',
      session: { userId, authSite: 'harbor', methods: [{ method: 'pwd', at: clock.now() }] },
    });
  });

  test('each further privilege change replaces the id again', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const first = await beginSession(sessions, userId);
    const second = await beginSession(sessions, userId, { methods: provedNow('pwd', 'sms') }, first.session);
    expect(await sessions.find(first.cookieValue, extend)).toMatchObject({ state: 'none' });
    expect(await sessions.find(second.cookieValue, extend)).toMatchObject({ state: 'valid' });
    expect(second.session.browserId).toBe(first.session.browserId);
  });

  test('a session expires after 30 idle minutes, counted from the last visit [I38, S24]', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue } = await beginSession(sessions, userId);
    clock.advanceSeconds(lifetimes.idleSeconds - 1);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(lifetimes.idleSeconds - 1);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(lifetimes.idleSeconds);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'expired', userId });
  });

  test('a background call does not extend an idle session [S24]', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue } = await beginSession(sessions, userId);
    for (let minute = 0; minute < 29; minute += 1) {
      clock.advanceSeconds(60);
      expect(await sessions.find(cookieValue, { extend: false })).toMatchObject({ state: 'valid' });
    }
    clock.advanceSeconds(60);
    expect(await sessions.find(cookieValue, { extend: false })).toMatchObject({ state: 'expired' });
  });

  test('activity does not extend a session beyond 12 hours [S24]', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue, session } = await beginSession(sessions, userId);
    for (let visit = 0; visit < 24 * 2 - 1; visit += 1) {
      clock.advanceSeconds(15 * 60);
      await sessions.find(cookieValue, extend);
    }
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(15 * 60);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({
      state: 'expired',
      browserId: session.browserId,
    });
  });

  test('a clock that jumps back an hour extends neither limit [F07]', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const signIn = async () => beginSession(sessions, userId, { authSite: 'harbor' });
    const idle = await signIn();
    const used = await signIn();
    clock.advanceSeconds(-3600);
    for (const { cookieValue } of [idle, used])
      expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(3600 + lifetimes.idleSeconds);
    expect(await sessions.find(idle.cookieValue, extend)).toMatchObject({ state: 'expired' });

    const absolute = await signIn();
    clock.advanceSeconds(-3600);
    for (let seconds = 0; seconds < 3600 + lifetimes.absoluteSeconds; seconds += 1200) {
      await sessions.find(absolute.cookieValue, extend);
      clock.advanceSeconds(1200);
    }
    expect(await sessions.find(absolute.cookieValue, extend)).toMatchObject({ state: 'expired' });
  });

  test('an ended session is invalid, and an expired session that was ended is not reported as expired [S23]', async () => {
    const { sessions, database, clock, end } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue, session } = await beginSession(sessions, userId);
    await end({ idHashes: [session.idHash] });
    clock.advanceSeconds(lifetimes.absoluteSeconds);
    expect(await sessions.find(cookieValue, extend)).toEqual({ state: 'none', session: undefined });
  });

  test('ends all sessions of a user except the given session, without affecting other users', async () => {
    const { sessions, database, clock, end } = setUp();
    const userId = await addUser(database, clock.now());
    const other = await addUser(database, clock.now());
    const mine = await Promise.all([1, 2, 3].map(() => beginSession(sessions, userId)));
    const theirs = await beginSession(sessions, other);
    const [kept, ...ended] = mine;

    expect(await end({ userId, keptSessionIdHash: kept?.session.idHash })).toHaveLength(2);
    expect(await sessions.find(kept?.cookieValue, extend)).toMatchObject({ state: 'valid' });
    expect(await sessions.find(theirs.cookieValue, extend)).toMatchObject({ state: 'valid' });
    for (const { cookieValue } of ended) {
      expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'none' });
    }
    expect(await end({ userId })).toHaveLength(1);
  });

  test('a session begins only with the verified security version, and ends when that changes', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue, session } = await beginSession(sessions, userId);
    const change = () =>
      database.transaction().execute((transaction) => raiseSecurityVersion(transaction, userId));

    const securityVersion = await change();
    expect(await sessions.find(cookieValue, extend)).toEqual({ state: 'none', session: undefined });
    const verified = { account: { id: userId, securityVersion: 0 }, methods: provedNow('pwd') };
    expect(await sessions.signIn(undefined, verified)).toBeUndefined();
    expect(await sessions.signIn(session, verified)).toBeUndefined();
    const present = { ...verified, account: { id: userId, securityVersion } };
    expect(await sessions.signIn(undefined, present)).toBeDefined();

    await database.updateTable('users').set({ status: 'disabled' }).where('id', '=', userId).execute();
    expect(await sessions.signIn(undefined, present)).toBeUndefined();
  });

  test('only one of several parallel sign-ins replaces a session, and no sign-in replaces an ended session', async () => {
    const { sessions, database, clock, end } = setUp();
    const userId = await addUser(database, clock.now());
    const first = await beginSession(sessions, userId);
    const verified = { account: { id: userId, securityVersion: 0 }, methods: provedNow('pwd') };
    const renewed = await Promise.all([1, 2, 3].map(() => sessions.signIn(first.session, verified)));
    const [winner, ...others] = renewed.filter((issued) => issued !== undefined);
    expect(others).toEqual([]);
    await end({ userId });
    expect(await sessions.signIn(winner?.session, verified)).toBeUndefined();
  });

  test('selecting a site later does not change the id', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue, session } = await beginSession(sessions, userId);
    await sessions.setAuthSite(session.idHash, 'northwind');
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ session: { authSite: 'northwind' } });
  });

  test('the database does not contain the cookie value', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue } = await beginSession(sessions, userId);
    const rows = await database.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(cookieValue);
    expect(Buffer.from(cookieValue, 'base64url')).toHaveLength(32);
  });

  test('after a secret rotation, sessions of the old secret stay valid', async () => {
    const { sessions, database, clock } = setUp();
    const userId = await addUser(database, clock.now());
    const { cookieValue } = await beginSession(sessions, userId);
    const present = createSessions(
      { database, clock, random: secureRandom, keyRing: [createSecretKey(Buffer.alloc(32, 2)), key] },
      lifetimes,
    );
    expect(await present.find(cookieValue, extend)).toMatchObject({ state: 'valid', session: { userId } });
  });

  test('10,000 cookie values are unique [S24]', async () => {
    const values = new Set(Array.from({ length: 10_000 }, () => secureRandom.token()));
    expect(values.size).toBe(10_000);
  });

  test('pruning deletes only sessions that ended or expired a day ago, and expired anonymous sessions', async () => {
    const { sessions, database, clock, end } = setUp();
    const userId = await addUser(database, clock.now());
    await sessions.prune();
    await database.deleteFrom('sessions').execute();
    await sessions.open(visitorRows);
    const signedIn = await beginSession(sessions, userId);
    const ended = await beginSession(sessions, userId);
    await end({ idHashes: [ended.session.idHash] });

    expect(await sessions.prune()).toBe(0);
    clock.advanceSeconds(lifetimes.absoluteSeconds + 1);
    expect(await sessions.prune()).toBe(1);
    expect(await sessions.find(signedIn.cookieValue, extend)).toMatchObject({ state: 'expired' });
    clock.advanceSeconds(24 * 3600);
    expect(await sessions.prune()).toBe(2);
  });
});

async function addUser(database: Database, now: Date): Promise<string> {
  const id = secureRandom.token(16);
  await database
    .insertInto('users')
    .values({ id, user_name: id, first_name: 'Ada', last_name: 'Test', created_at: now, updated_at: now })
    .execute();
  return id;
}
