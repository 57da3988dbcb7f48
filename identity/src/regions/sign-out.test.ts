import { describe, expect, test } from 'vitest';
import { endSessionsOf } from '../../testing/begin-session.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { portal } from '../../testing/application.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import {
  choose,
  isLetIn,
  openTraveller,
  prepareWord,
  postWord,
  signInAtHome,
  travel,
} from '../../testing/regions/traveller.ts';
import type { Traveller } from '../../testing/regions/traveller.ts';
import { director, directorId, lakeside } from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import { databaseKinds, useRegions } from '../../testing/regions/use-regions.ts';
import { addAccount, passwordOf } from '../../testing/two-people/accounts.ts';
import { tellEndedLinks } from './link-notices.ts';

describe.each(databaseKinds)('S58: signing out over regions, on $kind', ({ open }) => {
  const regions = useRegions(open);

  /** Both signed in: at eu with a password and a code, at us by the hand-over. */
  async function signInAtBoth(): Promise<Traveller> {
    const traveller = openTraveller(regions());
    expect(isLetIn(await travel(regions(), traveller))).toBe(true);
    expect(await standing(traveller)).toEqual([200, 200]);
    return traveller;
  }
  const standing = async ({ eu, us }: Traveller) => [
    (await eu.call('/api/ui/sites')).status,
    (await us.call('/api/ui/sites')).status,
  ];
  /** What a job does on one node of all, every few seconds. */
  const look = async ({ services }: TestRegion) => {
    if (services.regions === undefined) throw new Error('there are regions');
    return await tellEndedLinks({ ...services, regions: services.regions });
  };
  const settle = async ({ services }: TestRegion) => await services.regions?.linkNotices.settle();

  test('whoever signs out where they began is signed out where they were handed over to', async () => {
    const traveller = await signInAtBoth();
    const elsewhere = await signInAtBoth();
    await traveller.eu.call('/api/ui/logout-context');
    expect((await traveller.eu.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await settle(regions().eu);
    expect(await standing(traveller)).toEqual([401, 401]);
    // and in another browser the same person is still there
    expect(await standing(elsewhere)).toEqual([200, 200]);
  });

  test('and the other way round', async () => {
    const traveller = await signInAtBoth();
    await traveller.us.call('/api/ui/logout-context');
    expect((await traveller.us.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await settle(regions().us);
    expect(await standing(traveller)).toEqual([401, 401]);
  });

  test('a region that was away hears of it when it is back', async () => {
    const traveller = await signInAtBoth();
    const { eu, us } = regions();
    await us.unplug();
    await traveller.eu.call('/api/ui/logout-context');
    await traveller.eu.post('/api/ui/auth/sign-out', {});
    await settle(eu);
    expect(await look(eu)).toBe(0);
    expect(await standing(traveller)).toEqual([401, 200]);
    await us.plugIn();
    regions().advanceSeconds(5);
    expect(await look(eu)).toBe(1);
    expect(await standing(traveller)).toEqual([401, 401]);
    expect(await look(eu)).toBe(0);
  });

  test('a person who is disabled where they belong is signed out everywhere, and nobody comes over any more', async () => {
    const traveller = await signInAtBoth();
    const { eu } = regions();
    const set = (status: 'active' | 'disabled') =>
      eu.services.database.updateTable('people').set({ status }).where('id', '=', directorId).execute();
    await set('disabled');
    await look(eu);
    expect((await standing(traveller))[1]).toBe(401);
    await set('active');
  });

  test('a password that is changed in eu ends what came from the sessions that it ends', async () => {
    const traveller = await signInAtBoth();
    await endSessionsOf(regions().eu.services, directorId);
    await look(regions().eu);
    expect(await standing(traveller)).toEqual([401, 401]);
  });

  test('a notice ends what was handed over between the two, and nothing else that it names', async () => {
    const traveller = await signInAtBoth();
    const { eu, us } = regions();
    const local = us.openBrowser();
    const account = await addAccount(us, { hasPhone: false, memberOf: [lakeside] });
    await sendPassword(local, await beginSignIn(local, portal), { ...passwordOf(account), site: lakeside });
    const links = await us.services.database.selectFrom('region_links').select('link_id').execute();
    await us.services.database.updateTable('region_links').set({ region: 'http://ap.test' }).execute();
    const tell = () =>
      eu.services.regions!.tell(us.url, 'notice', { links: links.map((row) => row.link_id) });
    expect((await tell()).status).toBe(204);
    expect((await standing(traveller))[1]).toBe(200);
    await us.services.database.updateTable('region_links').set({ region: eu.url }).execute();
    expect((await tell()).status).toBe(204);
    expect((await standing(traveller))[1]).toBe(401);
    expect((await local.call('/api/ui/sites')).status).toBe(200);
  });

  test.each(['/regions/requests', '/regions/notices'])(
    'nobody but a region is heard at %s, and each word once',
    async (url) => {
      const { us, eu } = regions();
      const { word } = await prepareWord(regions(), openTraveller(regions()));
      const post = (payload: string, type = 'application/jwt') =>
        us.app.inject({
          method: 'POST',
          url,
          payload,
          headers: { host: new URL(us.url).host, 'content-type': type },
        });
      // a word of another type is none here, however well it is signed
      for (const payload of [word, '', 'x'.repeat(1000)]) expect((await post(payload)).statusCode).toBe(403);
      expect((await post(word, 'application/json')).statusCode).toBe(415);
      expect((await post('x'.repeat(20_000))).statusCode).toBe(413);
      const own = await eu.services.regions!.words.sign('anteroom-region-notice+jwt', us.url, { links: [] });
      const statuses = [(await post(own)).statusCode, (await post(own)).statusCode];
      expect(statuses).toEqual(url === '/regions/notices' ? [204, 403] : [403, 403]);
    },
  );
});

describe('S58: failures count where the password is', () => {
  const regions = useRegions();

  test('whoever is locked in eu is not handed over, and guesses at us open nothing where there is no password', async () => {
    const { eu, us } = regions();
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    const { limits, config } = eu.services;
    for (let failure = 0; failure < config.limits.accountConsecutiveFailures; failure += 1) {
      await limits.attempt({ kind: 'password', account: directorId, address: `192.0.2.${failure % 250}` });
      await eu.services.database.updateTable('limits').set({ blocked_until: null }).execute();
    }
    expect(await limits.isLocked('password', directorId)).toBe(true);
    const chosen = await choose(traveller.eu, returnUrl);
    expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);

    await us.services.database.deleteFrom('credentials').where('person_id', '=', directorId).execute();
    const browser = us.openBrowser();
    const started = await beginSignIn(browser, portal);
    const guess = await sendPassword(browser, started, { ...director, site: 'lakeside' });
    expect([guess.status, guess.json()['code']]).toEqual([401, 'invalid_credentials']);
  });

  test('S34: waiting after a few failures holds nobody up who is signed in', async () => {
    const { eu } = regions();
    await eu.services.limits.forgive('password', directorId);
    const traveller = openTraveller(regions());
    const { word } = await prepareWord(regions(), traveller);
    const attempt = () =>
      eu.services.limits.attempt({ kind: 'password', account: directorId, address: '198.51.100.7' });
    for (let failure = 0; failure < eu.services.config.limits.accountFreeFailures; failure += 1)
      await attempt().catch(() => undefined);
    await expect(attempt()).rejects.toThrow('rate_limit_reached');
    expect(isLetIn(await postWord(traveller.us, eu.url, word))).toBe(true);
  });
});
