import { describe, expect, test } from 'vitest';
import { endSessionsOf } from '../../testing/begin-session.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { portal } from '../../testing/application.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import {
  choose,
  isLetIn,
  openVisitor,
  prepareToken,
  postToken,
  signInAtHome,
  handOver,
} from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import { director, directorId, lakeside } from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import { databaseKinds } from '../../testing/describe-store.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';
import { addAccount, passwordOf } from '../../testing/two-users/accounts.ts';
import { notifyEndedLinks } from './regions.ts';

describe.each(databaseKinds)('signing out across regions, on $kind [S58]', ({ open }) => {
  const regions = useRegions(open);

  /** Signs a visitor in to both regions: to eu with a password and a code, to us through the hand-over. */
  async function signInAtBoth(): Promise<Visitor> {
    const visitor = openVisitor(regions());
    expect(isLetIn(await handOver(regions(), visitor))).toBe(true);
    expect(await sessionStatuses(visitor)).toEqual([200, 200]);
    return visitor;
  }
  const sessionStatuses = async ({ eu, us }: Visitor) => [
    (await eu.call('/api/ui/sites')).status,
    (await us.call('/api/ui/sites')).status,
  ];
  /** Does the work of the job that runs on one of the nodes every few seconds. */
  const sendNotices = async ({ services }: TestRegion) => {
    if (services.regions === undefined) throw new Error('there are regions');
    return await notifyEndedLinks({ ...services, regions: services.regions });
  };
  const settle = async ({ services }: TestRegion) => await services.regions?.linkNotices.settle();

  test('signing out in the original region ends the session in the other region', async () => {
    const visitor = await signInAtBoth();
    const elsewhere = await signInAtBoth();
    await visitor.eu.call('/api/ui/logout-context');
    expect((await visitor.eu.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await settle(regions().eu);
    expect(await sessionStatuses(visitor)).toEqual([401, 401]);
    // The same user is still signed in with another browser.
    expect(await sessionStatuses(elsewhere)).toEqual([200, 200]);
  });

  test('signing out in the other region ends the session in the original region', async () => {
    const visitor = await signInAtBoth();
    await visitor.us.call('/api/ui/logout-context');
    expect((await visitor.us.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await settle(regions().us);
    expect(await sessionStatuses(visitor)).toEqual([401, 401]);
  });

  test('an unreachable region is notified when it is available again', async () => {
    const visitor = await signInAtBoth();
    const { eu, us } = regions();
    await us.unplug();
    await visitor.eu.call('/api/ui/logout-context');
    await visitor.eu.post('/api/ui/auth/sign-out', {});
    await settle(eu);
    expect(await sendNotices(eu)).toBe(0);
    expect(await sessionStatuses(visitor)).toEqual([401, 200]);
    await us.plugIn();
    regions().advanceSeconds(5);
    expect(await sendNotices(eu)).toBe(1);
    expect(await sessionStatuses(visitor)).toEqual([401, 401]);
    expect(await sendNotices(eu)).toBe(0);
  });

  test('disabling a user in their home region signs them out everywhere and blocks further hand-overs', async () => {
    const visitor = await signInAtBoth();
    const { eu } = regions();
    const set = (status: 'active' | 'disabled') =>
      eu.services.database.updateTable('users').set({ status }).where('id', '=', directorId).execute();
    await set('disabled');
    await sendNotices(eu);
    expect((await sessionStatuses(visitor))[1]).toBe(401);
    await set('active');
  });

  test('a password change in eu also ends the us sessions that were handed over from eu', async () => {
    const visitor = await signInAtBoth();
    await endSessionsOf(regions().eu.services, directorId);
    await sendNotices(regions().eu);
    expect(await sessionStatuses(visitor)).toEqual([401, 401]);
  });

  test('a notice ends only sessions handed over between these two regions', async () => {
    const visitor = await signInAtBoth();
    const { eu, us } = regions();
    const local = us.openBrowser();
    const account = await addAccount(us, { hasPhone: false, memberOf: [lakeside] });
    await sendPassword(local, await beginSignIn(local, portal), { ...passwordOf(account), site: lakeside });
    const links = await us.services.database.selectFrom('region_links').select('link_id').execute();
    await us.services.database.updateTable('region_links').set({ region: 'http://ap.test' }).execute();
    const sendNotice = () =>
      eu.services.regions!.send(us.url, 'notice', { links: links.map((row) => row.link_id) });
    expect((await sendNotice()).status).toBe(204);
    expect((await sessionStatuses(visitor))[1]).toBe(200);
    await us.services.database.updateTable('region_links').set({ region: eu.url }).execute();
    expect((await sendNotice()).status).toBe(204);
    expect((await sessionStatuses(visitor))[1]).toBe(401);
    expect((await local.call('/api/ui/sites')).status).toBe(200);
  });

  test.each(['/regions/requests', '/regions/notices'])(
    '%s accepts only tokens of regions, and each token once',
    async (url) => {
      const { us, eu } = regions();
      const { token } = await prepareToken(regions(), openVisitor(regions()));
      const post = (payload: string, type = 'application/jwt') =>
        us.app.inject({
          method: 'POST',
          url,
          payload,
          headers: { host: new URL(us.url).host, 'content-type': type },
        });
      // A token of another type is rejected, even with a valid signature.
      for (const payload of [token, '', 'x'.repeat(1000)]) expect((await post(payload)).statusCode).toBe(403);
      expect((await post(token, 'application/json')).statusCode).toBe(415);
      expect((await post('x'.repeat(20_000))).statusCode).toBe(413);
      const own = await eu.services.regions!.tokens.sign('anteroom-region-notice+jwt', us.url, { links: [] });
      const statuses = [(await post(own)).statusCode, (await post(own)).statusCode];
      expect(statuses).toEqual(url === '/regions/notices' ? [204, 403] : [403, 403]);
    },
  );
});

describe('failed attempts are counted in the region that stores the password [S58]', () => {
  const regions = useRegions();

  test('a user who is locked in eu is not handed over, and us rejects passwords of users without a local password', async () => {
    const { eu, us } = regions();
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    const { limits, config } = eu.services;
    for (let failure = 0; failure < config.limits.accountConsecutiveFailures; failure += 1) {
      await limits.attempt({ kind: 'password', account: directorId, address: `192.0.2.${failure % 250}` });
      await eu.services.database.updateTable('limits').set({ blocked_until: null }).execute();
    }
    expect(await limits.isLocked('password', directorId)).toBe(true);
    const chosen = await choose(visitor.eu, returnUrl);
    expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);

    await us.services.database.deleteFrom('credentials').where('user_id', '=', directorId).execute();
    const browser = us.openBrowser();
    const started = await beginSignIn(browser, portal);
    const guess = await sendPassword(browser, started, { ...director, site: 'lakeside' });
    expect([guess.status, guess.json()['code']]).toEqual([401, 'invalid_credentials']);
  });

  test('delays after failed attempts do not affect a signed-in user [S34]', async () => {
    const { eu } = regions();
    await eu.services.limits.forgive('password', directorId);
    const visitor = openVisitor(regions());
    const { token } = await prepareToken(regions(), visitor);
    const attempt = () =>
      eu.services.limits.attempt({ kind: 'password', account: directorId, address: '198.51.100.7' });
    for (let failure = 0; failure < eu.services.config.limits.accountFreeFailures; failure += 1)
      await attempt().catch(() => undefined);
    await expect(attempt()).rejects.toThrow('rate_limit_reached');
    expect(isLetIn(await postToken(visitor.us, eu.url, token))).toBe(true);
  });
});
