import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { seedManySites } from '../../testing/many-sites.ts';
import type { Database } from '../store/schema.ts';
import { recordSiteSelection } from './site-memberships-store.ts';
import { findSiteListPage, siteListPageQuery } from './own-sites-store.ts';

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; Plans?: PlanNode[] };

describeStore('2,000 sites in 100 groups among 50,000', (store) => {
  let userId = '';
  const now = new Date('2026-11-20T09:00:00Z');
  beforeAll(async () => {
    const { database } = store();
    userId = await addUser(database, now);
    await seedManySites(database, { all: 50_000, own: 2_000, groups: 100 }, userId, now);
    await database
      .insertInto('clients')
      .values({
        id: 'minutes',
        display_name: 'Minutes',
        customizations: '{}',
        metadata: '{}',
        created_at: now,
      })
      .execute();
    await database
      .insertInto('client_entitlements')
      .columns(['user_id', 'site_id', 'client_id', 'label'])
      .expression((all) =>
        all
          .selectFrom('memberships')
          .select([
            'user_id',
            'site_id',
            sql.lit('minutes').as('client_id'),
            sql.lit('Minute taker').as('label'),
          ]),
      )
      .execute();
    // The user is not a member of half of the parents, which are therefore headers that cannot be entered.
    await database
      .deleteFrom('memberships')
      .where('user_id', '=', userId)
      .where('site_id', 'in', (parents) =>
        parents
          .selectFrom('sites')
          .select('id')
          .where('parent_id', 'is', null)
          .where(sql<boolean>`substring(name from '[0-9]+$')::int % 40 = 20`),
      )
      .execute();
  }, 120_000);

  test('are read in one statement, together with their parents', async () => {
    const page = await findSiteListPage(store().database, { userId, clientId: 'minutes' });
    expect(page?.sites).toHaveLength(1_950);
    expect(page?.parents).toHaveLength(50);
    expect(page?.sites[0]).toMatchObject({
      clientEntitlement: 'Minute taker',
      seenBooks: [{ bookId: 'next-meeting' }],
    });
  });

  test('are read only through indexes, with and without statistics [I27]', async () => {
    const { database } = store();
    for (const stage of ['a young database', 'one with statistics']) {
      const read = await relationsRead(database, userId);
      expect(new Set(read.map(({ relation }) => relation)), stage).toEqual(
        new Set([
          'authenticator_apps',
          'passkeys',
          'users',
          'memberships',
          'sites',
          'client_entitlements',
          'external_identities',
          'to_dos',
        ]),
      );
      for (const { relation, by } of read)
        expect(['Index Scan', 'Index Only Scan', 'Bitmap Heap Scan'], `${relation}, ${stage}`).toContain(by);
      await sql`analyze users, memberships, sites, client_entitlements, to_dos`.execute(database);
    }
  });
});

/** Returns the tables in the query plan with their scan types. */
async function relationsRead(
  database: Database,
  userId: string,
): Promise<{ relation: string; by: string }[]> {
  const rows = await siteListPageQuery(database, userId, 'minutes').explain('json');
  const [{ Plan: root }] = Object.values(rows[0] ?? {})[0] as [{ Plan: PlanNode }];
  const walk = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(walk)];
  return walk(root).flatMap(({ 'Relation Name': relation, 'Node Type': by }) =>
    relation === undefined ? [] : [{ relation, by }],
  );
}

describeStore('the recently selected sites', (store) => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 9, minutes));

  async function seedEight(): Promise<{ userId: string; ids: string[]; prefix: string }> {
    const { database } = store();
    const userId = await addUser(database, at(0));
    await seedManySites(database, { all: 8, own: 8, groups: 1 }, userId, at(0));
    const rows = await database
      .selectFrom('memberships')
      .select('site_id')
      .where('user_id', '=', userId)
      .orderBy('site_id')
      .execute();
    const ids = rows.map(({ site_id }) => site_id);
    await database.updateTable('users').set({ recent_sites_first: true }).where('id', '=', userId).execute();
    return { userId, ids, prefix: ids[0]?.split('-s')[0] ?? '' };
  }
  const recentOf = async (userId: string) =>
    (await findSiteListPage(store().database, { userId, clientId: undefined }))?.recentSites;

  test('are at most five, latest first, each once', async () => {
    const { userId, ids } = await seedEight();
    expect(await recentOf(userId)).toEqual([]);
    for (const [minutes, siteId] of [...ids, ids[4] ?? ''].entries())
      await recordSiteSelection(store().database, { userId, siteId, at: at(minutes) });
    expect(await recentOf(userId)).toEqual([ids[4], ids[7], ids[6], ids[5], ids[3]]);
  });

  test('do not include sites without a membership, or disabled sites', async () => {
    const { database } = store();
    const { userId, ids } = await seedEight();
    const [left = '', disabled = '', kept = ''] = ids.slice(1);
    for (const siteId of [left, disabled, kept])
      await recordSiteSelection(database, { userId, siteId, at: at(1) });
    await database.deleteFrom('memberships').where('site_id', '=', left).execute();
    await database
      .updateTable('sites')
      .set({ disabled_at: at(2) })
      .where('id', '=', disabled)
      .execute();
    expect(await recentOf(userId)).toEqual([kept]);
  });

  test('do not include sites of other users', async () => {
    const [one, other] = [await seedEight(), await seedEight()];
    await recordSiteSelection(store().database, {
      userId: one.userId,
      siteId: other.ids[0] ?? '',
      at: at(1),
    });
    expect(await recentOf(one.userId)).toEqual([]);
    expect(await recentOf(other.userId)).toEqual([]);
  });
});
