import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { findPreviousHashes, replaceHash } from './change.ts';

describeStore('a changed password', (store) => {
  const setUp = async () => {
    const { database } = store();
    const clock = movableClock();
    const userId = await addUser(database, clock.now());
    await database
      .insertInto('credentials')
      .values({ user_id: userId, password_hash: 'hash 0', must_change: true, changed_at: clock.now() })
      .execute();
    const replace = (presentHash: string, newHash: string): Promise<boolean> =>
      database
        .transaction()
        .execute((transaction) => replaceHash(transaction, { userId, presentHash, newHash }, clock.now()));
    const present = () =>
      database
        .selectFrom('credentials')
        .select(['password_hash', 'must_change', 'changed_at'])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
    return { database, clock, userId, replace, present };
  };

  test('replaces the previous password, which is remembered', async () => {
    const { replace, present, clock, database, userId } = await setUp();
    clock.advanceSeconds(60);
    expect(await replace('hash 0', 'hash 1')).toBe(true);
    expect(await present()).toEqual({ password_hash: 'hash 1', must_change: false, changed_at: clock.now() });
    expect(await findPreviousHashes(database, userId, 5)).toEqual(['hash 0']);
  });

  test('succeeds once among parallel changes', async () => {
    const { replace, present, database, userId } = await setUp();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => replace('hash 0', `new ${index}`)),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect((await present()).password_hash).toBe(`new ${results.indexOf(true)}`);
    expect(await findPreviousHashes(database, userId, 5)).toEqual(['hash 0']);
  });

  test('lists at most 24 previous passwords, the latest first', async () => {
    const { replace, clock, database, userId } = await setUp();
    for (let index = 0; index < 30; index += 1) {
      clock.advanceSeconds(60);
      await replace(`hash ${index}`, `hash ${index + 1}`);
    }
    expect(await findPreviousHashes(database, userId, 3)).toEqual(['hash 29', 'hash 28', 'hash 27']);
    expect(await findPreviousHashes(database, userId, 100)).toHaveLength(24);
    expect(await findPreviousHashes(database, userId, 0)).toEqual([]);
  });
});
