import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { provedNow } from '../../testing/begin-session.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import { createSessions } from '../sessions/create-sessions.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { createChallenges } from './passkey-challenges.ts';
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  mayOfferPasskey,
  notePasskeyRefusal,
  recordUse,
  removePasskeys,
  renamePasskey,
} from './passkeys-store.ts';
import type { NewPasskey } from './passkeys-store.ts';

describeStore('passkeys', (store) => {
  const now = new Date('2026-11-23T08:00:00Z');
  const newPasskey = (more: Partial<NewPasskey> = {}): NewPasskey => ({
    credentialId: secureRandom.token(16),
    publicKey: 'cHVibGlj',
    signCount: 4,
    backupEligible: false,
    backedUp: false,
    transports: ['internal', 'hybrid'],
    aaguid: '00000000-0000-0000-0000-000000000000',
    name: 'Chrome (Windows)',
    ...more,
  });
  const account = async () => ({ id: await addUser(store().database, now), securityVersion: 0 });
  const insert = (user: { id: string; securityVersion: number }, passkey: NewPasskey, at = now) =>
    store()
      .database.transaction()
      .execute((transaction) => insertPasskey(transaction, user, passkey, at));
  const add = async (more: Partial<NewPasskey> = {}, owner?: { id: string; securityVersion: number }) => {
    const user = owner ?? (await account());
    const passkey = newPasskey(more);
    return { user, passkey, added: await insert(user, passkey) };
  };

  test('a passkey is stored for its user, found by its id, renamed and removed by its user alone', async () => {
    const { database } = store();
    const { user, passkey } = await add();
    const stranger = await account();
    expect(await listPasskeys(database, user.id)).toEqual([
      {
        id: passkey.credentialId,
        name: 'Chrome (Windows)',
        createdAt: now,
        lastUsedAt: undefined,
        isSynchronised: false,
        transports: ['internal', 'hybrid'],
      },
    ]);
    expect(await findPasskey(database, passkey.credentialId)).toMatchObject({ userId: user.id });
    const renamed = { id: passkey.credentialId, name: 'My laptop' };
    expect(await renamePasskey(database, stranger.id, renamed)).toBe(false);
    expect(await renamePasskey(database, user.id, renamed)).toBe(true);
    const remove = (userId: string) =>
      database
        .transaction()
        .execute((transaction) => removePasskeys(transaction, userId, { id: passkey.credentialId }));
    expect(await remove(stranger.id)).toEqual([]);
    expect(await remove(user.id)).toEqual(['My laptop']);
    expect(await findPasskey(database, passkey.credentialId)).toBeUndefined();
  });

  test('a passkey is refused if the account has changed, if another user has it, and after 20 passkeys', async () => {
    const { passkey } = await add();
    const user = await account();
    const { database } = store();
    expect((await add({}, { ...user, securityVersion: 7 })).added).toBeUndefined();
    expect(await insert(user, passkey)).toBeUndefined();
    for (let count = 0; count < 20; count += 1) await add({}, user);
    expect((await add({}, user)).added).toBeUndefined();
    expect(await listPasskeys(database, user.id)).toHaveLength(20);
  });

  test('of 26 passkeys that a user adds in parallel, 20 are stored, while sessions of the user begin [P03]', async () => {
    const user = await account();
    const { database } = store();
    const keyRing = [createSecretKey(Buffer.alloc(32, 7))] as const;
    const sessions = createSessions(
      { database, clock: movableClock(now), random: secureRandom, keyRing },
      { idleSeconds: 600, absoluteSeconds: 600 },
    );
    const facts = { account: user, methods: provedNow('pwd') };
    const [added, begun] = await Promise.all([
      Promise.all(Array.from({ length: 26 }, () => add({}, user))),
      Promise.all(Array.from({ length: 10 }, () => sessions.signIn(undefined, facts))),
    ]);
    expect(added.filter((one) => one.added !== undefined)).toHaveLength(20);
    expect(await listPasskeys(database, user.id)).toHaveLength(20);
    expect(begun.filter((session) => session !== undefined)).toHaveLength(10);
  });

  test('a removal deletes the passkeys of the last days and keeps older passkeys', async () => {
    const { database } = store();
    const { user } = await add();
    const later = new Date(now.getTime() + 1000);
    await insert(user, newPasskey({ name: 'later' }), later);
    const removed = await database
      .transaction()
      .execute((transaction) => removePasskeys(transaction, user.id, { since: later }));
    expect(removed).toEqual(['later']);
    expect(await listPasskeys(database, user.id)).toHaveLength(1);
  });

  test('accepts one of 50 parallel uses with the same counter value, and none with a smaller value', async () => {
    const { database } = store();
    const { passkey } = await add();
    const use = (signCount: number) =>
      recordUse(database, passkey.credentialId, { signCount, backedUp: false }, now);
    const uses = await Promise.all(Array.from({ length: 50 }, () => use(5)));
    expect(uses.filter((isAccepted) => isAccepted)).toHaveLength(1);
    expect([await use(3), await use(0), await use(6)]).toEqual([false, false, true]);
  });

  test('accepts an authenticator without a counter each time', async () => {
    const { passkey } = await add({ signCount: 0 });
    const use = () =>
      recordUse(store().database, passkey.credentialId, { signCount: 0, backedUp: true }, now);
    expect([await use(), await use()]).toEqual([true, true]);
  });

  test('a passkey is offered until the user has a passkey, and not for 90 days after a refusal', async () => {
    const { database } = store();
    const { id } = await account();
    const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
    expect(await mayOfferPasskey(database, id, now)).toBe(true);
    await notePasskeyRefusal(database, id, now);
    await notePasskeyRefusal(database, id, inDays(1));
    expect(await mayOfferPasskey(database, id, inDays(90))).toBe(false);
    expect(await mayOfferPasskey(database, id, inDays(91))).toBe(true);
    await add({}, { id, securityVersion: 0 });
    expect(await mayOfferPasskey(database, id, inDays(91))).toBe(false);
  });

  test('accepts one of 50 parallel uses of a challenge, and deletes the record of its use after its expiry [P01, S36]', async () => {
    const { database } = store();
    const clock = movableClock(now);
    const keyRing = [createSecretKey(Buffer.alloc(32, 7))] as const;
    const challenges = createChallenges({ clock, random: secureRandom, keyRing });
    const subject = { ceremony: 'sign-in', boundTo: ['uid', 'browser'] } as const;
    const challenge = Buffer.from(challenges.issue(subject)).toString('base64url');
    expect(challenges.check(challenge, subject)).toBe('good');
    expect(challenges.check(challenge, { ...subject, ceremony: 'enrolment' })).toBe('foreign');
    expect(challenges.check(challenge, { ...subject, boundTo: ['uid', 'another'] })).toBe('foreign');
    expect(challenges.check(`${challenge.slice(0, -4)}AAAA`, subject)).toBe('foreign');
    expect(challenges.check('AAAA', subject)).toBe('foreign');
    const uses = await Promise.all(Array.from({ length: 50 }, () => challenges.use(database, challenge)));
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
    clock.advanceSeconds(300);
    expect(challenges.check(challenge, subject)).toBe('expired');
    expect(await deleteExpired(database, 'used_passkey_challenges', clock.now())).toBe(1);
  });
});
