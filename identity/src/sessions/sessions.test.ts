import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { createSessions } from './create-sessions.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';

const figures = { idleSeconds: 30 * 60, absoluteSeconds: 12 * 3600 };
const key = createSecretKey(Buffer.alloc(32, 1));
const extend = { extend: true };

describeStore('sessions', (store) => {
  const world = (keyRing: KeyRing = [key]) => {
    const { database } = store();
    const clock = movableClock();
    return {
      database,
      clock,
      sessions: createSessions({ database, clock, random: secureRandom, keyRing }, figures),
    };
  };

  test('no cookie, an invented one and one of another shape stand for nobody', async () => {
    const { sessions } = world();
    for (const value of [undefined, '', 'x'.repeat(43), `${'x'.repeat(42)}'`, 'a'.repeat(5000)]) {
      expect(await sessions.find(value, extend)).toEqual({ state: 'none', session: undefined });
    }
  });

  test('a pre-session stands for a browser without a person, up to the absolute limit', async () => {
    const { sessions, clock } = world();
    const { cookieValue, session } = await sessions.open();
    expect(session.personId).toBeUndefined();
    clock.advanceSeconds(figures.absoluteSeconds - 1);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({
      state: 'none',
      session: { idHash: session.idHash },
    });
    clock.advanceSeconds(1);
    expect(await sessions.find(cookieValue, extend)).toEqual({ state: 'none', session: undefined });
  });

  test('S22: signing in gives a new id at once, keeps the browser id, and the old id is dead', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const before = await sessions.open();
    const after = await sessions.signIn(before.session, { personId, methods: ['pwd'], authSite: 'harbor' });

    expect(after.cookieValue).not.toBe(before.cookieValue);
    expect(after.session.browserId).toBe(before.session.browserId);
    expect(await sessions.find(before.cookieValue, extend)).toEqual({ state: 'none', session: undefined });
    expect(await sessions.find(after.cookieValue, extend)).toMatchObject({
      state: 'valid',
      session: { personId, authSite: 'harbor', methods: ['pwd'], authenticatedAt: clock.now() },
    });
  });

  test('each further privilege change replaces the id again', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const first = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    const second = await sessions.signIn(first.session, { personId, methods: ['pwd', 'sms'] });
    expect(await sessions.find(first.cookieValue, extend)).toMatchObject({ state: 'none' });
    expect(await sessions.find(second.cookieValue, extend)).toMatchObject({ state: 'valid' });
    expect(second.session.browserId).toBe(first.session.browserId);
  });

  test('S24: a session expires after 30 idle minutes, and a visit before that starts them again', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    clock.advanceSeconds(figures.idleSeconds - 1);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(figures.idleSeconds - 1);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(figures.idleSeconds);
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'expired', personId });
  });

  test('S24: a background call does not keep an idle session alive', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    for (let minute = 0; minute < 29; minute += 1) {
      clock.advanceSeconds(60);
      expect(await sessions.find(cookieValue, { extend: false })).toMatchObject({ state: 'valid' });
    }
    clock.advanceSeconds(60);
    expect(await sessions.find(cookieValue, { extend: false })).toMatchObject({ state: 'expired' });
  });

  test('S24: activity cannot keep a session beyond 12 hours', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue, session } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
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

  test('F07: a clock that jumps back an hour extends neither limit', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const signIn = async () => sessions.signIn(undefined, { personId, methods: ['pwd'], authSite: 'harbor' });
    const idle = await signIn();
    const used = await signIn();
    clock.advanceSeconds(-3600);
    for (const { cookieValue } of [idle, used])
      expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'valid' });
    clock.advanceSeconds(3600 + figures.idleSeconds);
    expect(await sessions.find(idle.cookieValue, extend)).toMatchObject({ state: 'expired' });

    const absolute = await signIn();
    clock.advanceSeconds(-3600);
    for (let seconds = 0; seconds < 3600 + figures.absoluteSeconds; seconds += 1200) {
      await sessions.find(absolute.cookieValue, extend);
      clock.advanceSeconds(1200);
    }
    expect(await sessions.find(absolute.cookieValue, extend)).toMatchObject({ state: 'expired' });
  });

  test('S23: an ended session is dead, and an expired one that was ended says nothing of expiry', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue, session } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    await sessions.end(session.idHash);
    clock.advanceSeconds(figures.absoluteSeconds);
    expect(await sessions.find(cookieValue, extend)).toEqual({ state: 'none', session: undefined });
  });

  test('all sessions of a person end but the named one, and nobody else is touched', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const other = await addPerson(database, clock.now());
    const mine = await Promise.all(
      [1, 2, 3].map(() => sessions.signIn(undefined, { personId, methods: ['pwd'] })),
    );
    const theirs = await sessions.signIn(undefined, { personId: other, methods: ['pwd'] });
    const [kept, ...ended] = mine;

    expect(await sessions.endAllOf(personId, { exceptIdHash: kept?.session.idHash ?? '' })).toBe(2);
    expect(await sessions.find(kept?.cookieValue, extend)).toMatchObject({ state: 'valid' });
    expect(await sessions.find(theirs.cookieValue, extend)).toMatchObject({ state: 'valid' });
    for (const { cookieValue } of ended) {
      expect(await sessions.find(cookieValue, extend)).toMatchObject({ state: 'none' });
    }
    expect(await sessions.endAllOf(personId)).toBe(1);
  });

  test('the site that is chosen later is remembered without a new id', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue, session } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    await sessions.setAuthSite(session.idHash, 'northwind');
    expect(await sessions.find(cookieValue, extend)).toMatchObject({ session: { authSite: 'northwind' } });
  });

  test('the cookie value is nowhere in the database', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    const rows = await database.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(cookieValue);
    expect(Buffer.from(cookieValue, 'base64url')).toHaveLength(32);
  });

  test('after a change of the secret the sessions of the older one live on', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    const { cookieValue } = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    const present = createSessions(
      { database, clock, random: secureRandom, keyRing: [createSecretKey(Buffer.alloc(32, 2)), key] },
      figures,
    );
    expect(await present.find(cookieValue, extend)).toMatchObject({ state: 'valid', session: { personId } });
  });

  test('S24: 10,000 cookie values: no repeats', async () => {
    const values = new Set(Array.from({ length: 10_000 }, () => secureRandom.token()));
    expect(values.size).toBe(10_000);
  });

  test('pruning forgets what ended or expired a day ago, and pre-sessions at their limit, and nothing else', async () => {
    const { sessions, database, clock } = world();
    const personId = await addPerson(database, clock.now());
    await sessions.prune();
    await database.deleteFrom('sessions').execute();
    await sessions.open();
    const signedIn = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    const ended = await sessions.signIn(undefined, { personId, methods: ['pwd'] });
    await sessions.end(ended.session.idHash);

    expect(await sessions.prune()).toBe(0);
    clock.advanceSeconds(figures.absoluteSeconds + 1);
    expect(await sessions.prune()).toBe(1);
    expect(await sessions.find(signedIn.cookieValue, extend)).toMatchObject({ state: 'expired' });
    clock.advanceSeconds(24 * 3600);
    expect(await sessions.prune()).toBe(2);
  });
});

async function addPerson(database: Database, now: Date): Promise<string> {
  const id = secureRandom.token(16);
  await database
    .insertInto('people')
    .values({ id, user_name: id, first_name: 'Ada', last_name: 'Test', created_at: now, updated_at: now })
    .execute();
  return id;
}
