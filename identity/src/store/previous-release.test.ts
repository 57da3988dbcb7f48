import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { secureRandom } from '../lib/random.ts';
import { raiseSecurityVersion } from '../users/users-store.ts';
import { findSignIn, openSignIn, recordProofs } from '../sign-ins/sign-ins-store.ts';
import type { Account } from '../sign-ins/proofs.ts';

// The triggers of migration 0019, for writes by a node of the previous release while both releases run (docs/decisions/023-one-version-back.md).

const now = new Date('2026-01-15T09:00:00.000Z');

describeStore('rows written by a node of the previous release', (store) => {
  async function addAccount(): Promise<Account> {
    const { database } = store();
    const id = await addUser(database, now);
    const securityVersion = await database
      .transaction()
      .execute((transaction) => raiseSecurityVersion(transaction, id));
    return { id, securityVersion };
  }

  /** Opens a sign-in whose password a node of this release has verified. */
  async function openProvedSignIn(account: Account) {
    const { database } = store();
    const [uid, browserId] = [secureRandom.token(16), secureRandom.token(16)];
    const expiresAt = new Date(now.getTime() + 60_000);
    const asked = { uid, browserId, clientId: 'director', reasons: [], parameters: {}, expiresAt };
    const signIn = await openSignIn(database, asked, now);
    await recordProofs(database, signIn, account, { password: { at: now } }, now);
    return { uid, findKinds: async () => Object.keys(await findProofs(uid, browserId)) };
  }

  const findProofs = async (uid: string, browserId: string) =>
    (await findSignIn(store().database, uid, browserId, now))?.proofs ?? { none: undefined };

  test('S25: a one-time code proves no user, because the previous release does not record whose code it was', async () => {
    const { uid, findKinds } = await openProvedSignIn(await addAccount());
    await sql`update sign_ins set second_factor_at = ${now} where uid = ${uid}`.execute(store().database);
    expect(await findKinds()).toEqual(['password']);
  });

  test('S25: a change of the user removes the proofs of the previous user', async () => {
    const { uid, findKinds } = await openProvedSignIn(await addAccount());
    const next = await addAccount();
    await sql`update sign_ins set person_id = ${next.id} where uid = ${uid}`.execute(store().database);
    expect(await findKinds()).toEqual([]);
  });

  test('S23: a session without a security version gets the version of its account', async () => {
    const { database } = store();
    const { id, securityVersion } = await addAccount();
    await database
      .insertInto('sessions')
      .values({
        id_hash: id,
        browser_id: id,
        person_id: id,
        methods: '["pwd"]',
        authenticated_at: now,
        created_at: now,
        last_seen_at: now,
        absolute_expires_at: now,
      })
      .execute();
    const row = database.selectFrom('sessions').select('security_version').where('id_hash', '=', id);
    expect(await row.execute()).toEqual([{ security_version: securityVersion }]);
    expect(securityVersion).toBe(1);
  });
});
