import { expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { findUserByName } from '../users/users-store.ts';
import { findSiteMembership } from '../sites/site-memberships-store.ts';

describeStore('anteroom members', (store) => {
  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store()).run(...given);

  async function prepare(prefix: string): Promise<void> {
    await run('sites import -', `name,displayName\n${prefix}-s1,One\n${prefix}-s2,Two\n`);
    const users = `userName,firstName,lastName,email\n${prefix}-p1,A,B,${prefix}-p1@x.example\n${prefix}-p2,C,D,\n`;
    await run('users import -', users);
  }

  async function membershipOf(userName: string, site: string) {
    const user = await findUserByName(store().database, userName);
    return await findSiteMembership(store().database, { name: site }, user?.id);
  }

  test('a member can enter the site only while the entitlement requirements are met', async () => {
    await prepare('enter');
    expect(await run('members add enter-p1@x.example enter-s1 --client-entitlement Chair')).toMatchObject({
      code: 0,
      errors: '',
    });
    expect(await membershipOf('enter-p1', 'enter-s1')).toMatchObject({
      isMember: true,
      entitlementMet: true,
    });
    expect((await run('members list --site enter-s1 --json')).json()).toEqual([
      {
        userName: 'enter-p1',
        site: 'enter-s1',
        entitlementRequirementsMet: true,
        clientEntitlement: 'Chair',
      },
    ]);
    await run('members disable enter-p1 enter-s1');
    expect(await membershipOf('enter-p1', 'enter-s1')).toMatchObject({
      isMember: true,
      entitlementMet: false,
    });
    expect((await run('members list --user enter-p1 --disabled --json')).json()).toHaveLength(1);
    await run('members enable enter-p1 enter-s1');
    expect(await membershipOf('enter-p1', 'enter-s1')).toMatchObject({ entitlementMet: true });
  });

  test('an empty label is stored as none', async () => {
    await prepare('label');
    await run('members add label-p1 label-s1 --client-entitlement Observer');
    await run(['members', 'add', 'label-p1', 'label-s1', '--client-entitlement', '', '--update']);
    const [row] = await store()
      .database.selectFrom('memberships')
      .innerJoin('sites', 'sites.id', 'memberships.site_id')
      .select('client_entitlement')
      .where('sites.name', '=', 'label-s1')
      .execute();
    expect(row).toEqual({ client_entitlement: 'none' });
  });

  test('an import with unknown users or sites reports their lines and writes nothing', async () => {
    await prepare('unknown');
    const file = 'userName,site\nunknown-p1,unknown-s1\nnobody,unknown-s1\nunknown-p1,nowhere\n';
    expect(await run('members import -', file)).toMatchObject({
      code: 1,
      output: '',
      errors:
        'line 3, userName: there is no user nobody\nline 4, site: there is no site nowhere\n2 problems: nothing was written.\n',
    });
    expect((await run('members list --site unknown-s1 --json')).json()).toEqual([]);
  });

  test('an import rejects the same user by user name and by e-mail', async () => {
    await prepare('twice');
    const refused = await run(
      'members import -',
      'userName,site\ntwice-p1,twice-s1\ntwice-p1@x.example,twice-s1\n',
    );
    expect(refused).toMatchObject({
      code: 1,
      errors: 'line 3, userName: an earlier line has the same user and site\n',
    });
  });

  test('an existing membership is changed only with --update, and can be removed once', async () => {
    await prepare('change');
    await run('members add change-p1 change-s1');
    expect((await run('members add change-p1 change-s1 --client-entitlement Chair')).code).toBe(1);
    expect((await run('members add change-p1 change-s1 --client-entitlement Chair --update')).output).toBe(
      'changed change-p1 at change-s1: clientEntitlement none → "Chair"\n',
    );
    expect((await run('members disable change-p2 change-s1')).errors).toBe(
      'userName: there is no membership change-p2 at change-s1\n',
    );
    expect((await run('members remove change-p1 change-s1')).output).toBe(
      'removed change-p1 at change-s1\n  sessions: 0\n',
    );
    expect(await run('members remove change-p1 change-s1')).toMatchObject({
      code: 1,
      errors: 'there is no membership change-p1 at change-s1\n',
    });
  });
});
