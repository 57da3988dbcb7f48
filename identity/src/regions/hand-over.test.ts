import { describe, expect, test } from 'vitest';
import { readIdToken } from '../../testing/journeys.ts';
import { keyOf, signAnew } from '../../testing/regions/forged-words.ts';
import {
  choose,
  fetchTokens,
  fetchWord,
  isLetIn,
  openTraveller,
  postWord,
  prepareWord,
  signInAtHome,
  travel,
} from '../../testing/regions/traveller.ts';
import type { Traveller } from '../../testing/regions/traveller.ts';
import {
  createKeysOfRegion,
  createRegionKey,
  directorId,
  lakeside,
} from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import { databaseKinds, useRegions } from '../../testing/regions/use-regions.ts';

describe.each(databaseKinds)('a visitor of eu who chooses a site of us, on $kind', ({ open }) => {
  const regions = useRegions(open);

  const prepare = () => prepareWord(regions(), openTraveller(regions()));
  const send = ({ us }: Pick<Traveller, 'us'>, word: string, headers: Record<string, string> = {}) =>
    postWord(us, regions().eu.url, word, headers);
  const sessionOf = ({ us }: Traveller) => us.call('/api/ui/sites', {});

  async function expectRefused(traveller: Traveller, word: string): Promise<void> {
    const answer = await send(traveller, word);
    expect(isLetIn(answer)).toBe(false);
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=[\w-]+$/);
    expect((await sessionOf(traveller)).status).toBe(401);
  }

  test('comes to us with what was proved in eu, and the application gets its tokens from us', async () => {
    const traveller = openTraveller(regions());
    const page = await travel(regions(), traveller);
    const { us } = regions();
    expect(isLetIn(page), page.text).toBe(true);
    expect(page.text).toContain(`http://localhost:4401/initiate-sign-in?iss=${encodeURIComponent(us.url)}`);

    const tokens = await fetchTokens(us, traveller.us);
    expect(readIdToken(tokens)).toMatchObject({
      iss: us.url,
      sub: directorId,
      site: lakeside,
      amr: ['pwd', 'sms'],
    });
  });

  test('S22: has a new session id in us, and the one from before is nothing', async () => {
    const { traveller, word } = await prepare();
    const name = '__Host-anteroom_session';
    const before = traveller.us.cookies.get(name);
    expect(isLetIn(await send(traveller, word))).toBe(true);
    expect(traveller.us.cookies.get(name)?.value).not.toBe(before?.value);
    expect((await sessionOf(traveller)).status).toBe(200);
    traveller.us.cookies.set(name, before!);
    expect((await sessionOf(traveller)).status).toBe(401);
  });

  test('S56: a word counts once', async () => {
    const { traveller, word } = await prepare();
    expect(isLetIn(await send(traveller, word))).toBe(true);
    expect(isLetIn(await send(traveller, word))).toBe(false);
  });

  test('S56: of 20 that come at once with the same word one is let in', async () => {
    const { traveller, word } = await prepare();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(traveller, word)));
    expect(answers.filter(isLetIn)).toHaveLength(1);
  });

  test('S56: one that was used is used after a restart as well', async () => {
    const { traveller, word } = await prepare();
    expect(isLetIn(await send(traveller, word))).toBe(true);
    await regions().us.restart();
    const again = { ...traveller, us: traveller.us.at(regions().us.app) };
    expect(isLetIn(await send(again, word))).toBe(false);
  });

  test('S56: another browser has no use for it, whether it was at the door itself or never', async () => {
    const { traveller, word } = await prepare();
    const { traveller: other } = await prepare();
    await expectRefused(other, word);
    await expectRefused(openTraveller(regions()), word);
    // nor has anybody used it up by trying
    expect(isLetIn(await send(traveller, word))).toBe(true);
  });

  test('S56: a request belongs to the first browser that comes with it', async () => {
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    const location = String((await choose(traveller.eu, returnUrl)).json()['location']);
    const thief = openTraveller(regions());
    expect((await thief.us.visit(location)).headers['location']).toContain('/regions/hand-over?request=');
    expect((await traveller.us.visit(location)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('S56: eu gives no word to another browser, or to nobody in particular, and to the right one once', async () => {
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    const location = String((await choose(traveller.eu, returnUrl)).json()['location']);
    const door = (await traveller.us.visit(location)).headers['location'] ?? '';
    const other = openTraveller(regions());
    await signInAtHome(regions(), other);
    for (const browser of [other.eu, openTraveller(regions()).eu])
      expect((await browser.visit(door)).headers['location']).toMatch(/^\/ui\/home\/error/);
    expect((await traveller.eu.visit(door)).text).toContain('name="word"');
    expect((await traveller.eu.visit(door)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('S56: nobody is let in after 60 seconds, at any of the steps', async () => {
    const { traveller, word } = await prepare();
    regions().advanceSeconds(61);
    await expectRefused(traveller, word);

    const late = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), late);
    const location = String((await choose(late.eu, returnUrl)).json()['location']);
    const door = (await late.us.visit(location)).headers['location'] ?? '';
    regions().advanceSeconds(61);
    expect((await late.eu.visit(door)).headers['location']).toMatch(/^\/ui\/home\/error/);
    expect((await late.us.visit(location)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('S56: the word stands in no address, no Referer, no log and no table', async () => {
    const { traveller, word } = await prepare();
    const door = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), door);
    const chosen = await choose(door.eu, returnUrl);
    const arrived = await door.us.visit(String(chosen.json()['location']));
    const page = await door.eu.visit(arrived.headers['location'] ?? '');
    expect(page.headers['referrer-policy']).toBe('strict-origin');
    expect(page.headers['cache-control']).toBe('no-store');
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain(`form-action ${regions().us.url};`);
    expect(policy).not.toMatch(/unsafe|\*/);

    const answer = await send(traveller, word);
    expect(isLetIn(answer)).toBe(true);
    const [, , signature = ''] = word.split('.');
    expect(answer.text).not.toContain(signature);
    for (const { log, services } of [regions().eu, regions().us]) {
      await services.audit.flush();
      const rows = await services.database.selectFrom('audit_events').selectAll().execute();
      const all = JSON.stringify([log, rows]);
      expect(all).not.toContain(signature);
      expect(all).not.toContain(new URL(String(chosen.json()['location'])).searchParams.get('request'));
    }
  });

  describe('S56: is looked at again in us, whatever eu has said', () => {
    const undo: (() => Promise<unknown>)[] = [];
    const changes: [string, (us: TestRegion) => Promise<unknown>][] = [
      [
        'the person was disabled',
        ({ services: { database } }) => {
          const set = (status: 'active' | 'disabled') =>
            database.updateTable('people').set({ status }).where('id', '=', directorId).execute();
          undo.push(() => set('active'));
          return set('disabled');
        },
      ],
      [
        'the site was disabled',
        ({ services: { database }, clock }) => {
          const set = (disabled_at: Date | null) =>
            database.updateTable('sites').set({ disabled_at }).where('name', '=', lakeside).execute();
          undo.push(() => set(null));
          return set(clock.now());
        },
      ],
      [
        'the entitlement is not met any more',
        ({ services: { database } }) => {
          const set = (met: boolean) =>
            database
              .updateTable('memberships')
              .set({ entitlement_requirements_met: met })
              .where('site_id', 'in', (query) =>
                query.selectFrom('sites').select('id').where('name', '=', lakeside),
              )
              .execute();
          undo.push(() => set(true));
          return set(false);
        },
      ],
      [
        'the site has moved to a third region',
        ({ services: { database } }) => {
          const set = (identity_service_url: string | null) =>
            database
              .updateTable('sites')
              .set({ identity_service_url })
              .where('name', '=', lakeside)
              .execute();
          undo.push(() => set(null));
          return set('http://ap.anteroom.localhost');
        },
      ],
    ];
    test.each(changes)('%s meanwhile', async (_name, change) => {
      const { traveller, word } = await prepare();
      await change(regions().us);
      await expectRefused(traveller, word);
      // before anybody sets out it is a failure that leaves them where they are
      const early = openTraveller(regions());
      const { returnUrl } = await signInAtHome(regions(), early);
      const chosen = await choose(early.eu, returnUrl);
      expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
      expect((await early.eu.call('/api/ui/sites', { returnUrl })).status).toBe(200);
      for (const step of undo.splice(0)) await step();
    });

    test('the person was disabled in eu between the choice and the word', async () => {
      const traveller = openTraveller(regions());
      const { returnUrl } = await signInAtHome(regions(), traveller);
      const chosen = await choose(traveller.eu, returnUrl);
      const door = await traveller.us.visit(String(chosen.json()['location']));
      const { database } = regions().eu.services;
      const set = (status: 'active' | 'disabled') =>
        database.updateTable('people').set({ status }).where('id', '=', directorId).execute();
      await set('disabled');
      expect((await traveller.eu.visit(door.headers['location'] ?? '')).headers['location']).toMatch(
        /^\/ui\/home\/error/,
      );
      await set('active');
    });
  });

  test('S56: while us is away the answer is session_migration_failure, and the visitor stays signed in and may choose another site', async () => {
    const { eu, us } = regions();
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    await us.unplug();
    const chosen = await choose(traveller.eu, returnUrl);
    expect([chosen.status, chosen.json()]).toEqual([400, { code: 'session_migration_failure' }]);
    const list = await traveller.eu.call('/api/ui/sites', { returnUrl });
    expect(list.status).toBe(200);
    expect(JSON.stringify(list.json())).toContain(lakeside);
    expect((await choose(traveller.eu, returnUrl, 'northwind')).json()).toMatchObject({ status: 'redirect' });
    await us.plugIn();

    // and where eu is away when its word is looked at, nobody is let in on what cannot be checked
    const { traveller: other, word } = await prepare();
    await us.restart();
    await eu.unplug();
    const again = { ...other, us: other.us.at(us.app) };
    await expectRefused(again, word);
    await eu.plugIn();
  });

  test('S57: the key is changed in eu without anybody noticing, and a retired one is refused within a minute', async () => {
    const { eu } = regions();
    const old = keyOf(eu);
    const next = createRegionKey('eu-2');
    await eu.restart(createKeysOfRegion([next, old], eu.keys));
    const { traveller, word } = await prepare();
    expect(isLetIn(await send(traveller, word))).toBe(true);

    const { traveller: overlapping, word: again } = await prepare();
    expect(isLetIn(await send(overlapping, await signAnew(again, old)))).toBe(true);

    await eu.restart(createKeysOfRegion([next], eu.keys));
    regions().advanceSeconds(61);
    const { traveller: late, word: fresh } = await prepare();
    await expectRefused(late, await signAnew(fresh, old));
    const { traveller: honest, word: control } = await prepare();
    expect(isLetIn(await send(honest, control))).toBe(true);
  });

  test.each([60, -60])('F07: a clock of eu that is off by %i s works', async (seconds) => {
    const { us } = regions();
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    us.clock.advanceSeconds(-seconds);
    const word = await fetchWord(traveller, await choose(traveller.eu, returnUrl));
    expect(isLetIn(await send(traveller, word))).toBe(true);
    us.clock.advanceSeconds(seconds);
  });

  test.each([300, -300])(
    'F07: one that is off by %i s is refused, and the audit says why',
    async (seconds) => {
      const { eu, us } = regions();
      us.clock.advanceSeconds(-seconds);
      const traveller = openTraveller(regions());
      const { returnUrl } = await signInAtHome(regions(), traveller);
      const chosen = await choose(traveller.eu, returnUrl);
      expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
      expect((await traveller.eu.call('/api/ui/sites', { returnUrl })).status).toBe(200);
      us.clock.advanceSeconds(seconds);
      await eu.services.audit.flush();
      const noted = await eu.services.database
        .selectFrom('audit_events')
        .selectAll()
        .where('event', '=', 'region.hand-over')
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow();
      expect(noted).toMatchObject({ result: 'failure', reason: 'the region answered 403' });
      expect(JSON.stringify(us.log)).toMatch(seconds > 0 ? /from the future/ : /"exp\\?" claim/);
    },
  );
});
