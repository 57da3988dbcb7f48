import type { ToDosOfPerson } from '@anteroom/contract/board-systems';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { seedManySites } from '../../testing/many-sites.ts';
import { saveToDos } from './pushed-to-dos.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 9, minutes));

describeStore('to-dos of board systems', (store) => {
  /** Adds a member of four sites, without stored to-dos. */
  async function seed(): Promise<{ user: string; sites: string[] }> {
    const { database } = store();
    const user = await addUser(database, at(0));
    await seedManySites(database, { all: 4, own: 4, groups: 1 }, user, at(0));
    await database.deleteFrom('to_dos').where('user_id', '=', user).execute();
    const rows = await database
      .selectFrom('sites')
      .innerJoin('memberships', 'memberships.site_id', 'sites.id')
      .select('sites.name')
      .where('memberships.user_id', '=', user)
      .orderBy('sites.name')
      .execute();
    return { user, sites: rows.map(({ name }) => name) };
  }
  const toDos = (site: string, boardsUserName: string, pendingVoteCount: number): ToDosOfPerson => ({
    site,
    boardsUserName,
    pendingVoteCount,
    openQuestionnairesCount: 0,
    minutesCount: 0,
    actionItemsCount: 0,
    directorHomePageEnabled: true,
    books: [],
    seenBooks: [],
  });
  const votesOf = async (user: string) => {
    const rows = await store()
      .database.selectFrom('to_dos')
      .innerJoin('sites', 'sites.id', 'to_dos.site_id')
      .select(['sites.name', 'pending_votes'])
      .where('user_id', '=', user)
      .orderBy('sites.name')
      .execute();
    return rows.map((row) => [row.name, row.pending_votes]);
  };

  test('are stored once, no matter how often they are sent', async () => {
    const { user, sites } = await seed();
    const sent = sites.map((site, index) => toDos(site, user, index));
    for (let time = 0; time < 3; time += 1)
      expect((await saveToDos(store().database, sent, at(1))).known).toEqual([0, 1, 2, 3]);
    expect(await votesOf(user)).toEqual(sites.map((site, index) => [site, index]));
  });

  test('the newest state wins in any order of calls; the last of two entries in one call wins', async () => {
    const { user, sites } = await seed();
    const [site = ''] = sites;
    const { database } = store();
    await saveToDos(database, [toDos(site, user, 3)], at(3));
    expect(await saveToDos(database, [toDos(site, user, 2)], at(2))).toEqual({ known: [0], newer: 0 });
    expect(await votesOf(user)).toEqual([[site, 3]]);
    await saveToDos(database, [toDos(site, user, 4), toDos(site.toUpperCase(), user, 5)], at(4));
    expect(await votesOf(user)).toEqual([[site, 5]]);
  });

  test('entries for non-members of the site are reported by their index and not stored', async () => {
    const { database } = store();
    const [one, other] = [await seed(), await seed()];
    const { known } = await saveToDos(
      database,
      [
        toDos(other.sites[0] ?? '', one.user, 1),
        toDos(one.sites[0] ?? '', one.user, 2),
        toDos('atlantis', one.user, 3),
        toDos(one.sites[0] ?? '', 'nobody', 4),
      ],
      at(1),
    );
    expect(known).toEqual([1]);
    expect(await votesOf(one.user)).toEqual([[one.sites[0], 2]]);
    expect(await votesOf(other.user)).toEqual([]);
  });

  test('a name that two members of a site share matches neither', async () => {
    const { database } = store();
    const { user, sites } = await seed();
    const twin = await addUser(database, at(0));
    await database.updateTable('users').set({ boards_user_name: user }).where('id', '=', twin).execute();
    const membership = { user_id: twin, created_at: at(0) };
    const site = await database
      .selectFrom('sites')
      .select('id')
      .where('name', '=', sites[0] ?? '')
      .executeTakeFirstOrThrow();
    await database
      .insertInto('memberships')
      .values({ ...membership, site_id: site.id })
      .execute();
    const sent = [toDos(sites[0] ?? '', user, 1), toDos(sites[1] ?? '', user, 1)];
    expect((await saveToDos(database, sent, at(1))).known).toEqual([1]);
  });

  test('concurrent calls in opposite orders do not deadlock', async () => {
    const { user, sites } = await seed();
    const sent = sites.map((site) => toDos(site, user, 1));
    const calls = Array.from({ length: 20 }, (_, index) =>
      saveToDos(store().database, index % 2 === 0 ? sent : sent.toReversed(), at(index)),
    );
    expect(await Promise.all(calls)).toHaveLength(20);
  });
});
