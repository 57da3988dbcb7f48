import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { keyOf, signAnew } from '../../testing/regions/forged-words.ts';
import {
  choose,
  isLetIn,
  openTraveller,
  postWord,
  prepareWord,
  signInAtHome,
} from '../../testing/regions/traveller.ts';
import type { Traveller } from '../../testing/regions/traveller.ts';
import { createKeysOfRegion, createRegionKey } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

describe('a hand-over that is under way', () => {
  const regions = useRegions();

  const prepare = (parameters: Record<string, string> = {}) =>
    prepareWord(regions(), openTraveller(regions()), parameters);
  const send = ({ us }: Pick<Traveller, 'us'>, word: string) => postWord(us, regions().eu.url, word);
  const isSignedInAtUs = async ({ us }: Traveller) => (await us.call('/api/ui/sites')).status === 200;
  const isSignedInAtEu = async ({ eu }: Traveller) => (await eu.call('/api/ui/sites')).status === 200;
  const signOut = async ({ eu }: Traveller) => {
    await eu.call('/api/ui/logout-context');
    expect((await eu.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await regions().eu.services.regions?.linkNotices.settle();
  };

  test('S58: whoever signs out at eu before the word gets none', async () => {
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    const location = String((await choose(traveller.eu, returnUrl)).json()['location']);
    const door = (await traveller.us.visit(location)).headers['location'] ?? '';
    await signOut(traveller);
    expect((await traveller.eu.visit(door)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('S58: whoever signs out at eu with the word in hand is not let in at us any more', async () => {
    const { traveller, word } = await prepare();
    await signOut(traveller);
    const answer = await send(traveller, word);
    expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=/);
    expect(await isSignedInAtUs(traveller)).toBe(false);
    // one that is told late, or twice, changes nothing for others
    const { traveller: other, word: honest } = await prepare();
    expect(isLetIn(await send(other, honest))).toBe(true);
  });

  test('S58: and told at the very moment, either they are not let in or they are signed out again', async () => {
    const { traveller, word } = await prepare();
    const link = String(decodeJwt(word)['link']);
    const { eu, us } = regions();
    const [told] = await Promise.all([
      eu.services.regions!.tell(us.url, 'notice', { links: [link] }),
      send(traveller, word),
    ]);
    expect(told.status).toBe(204);
    expect(await isSignedInAtUs(traveller)).toBe(false);
  });

  test('S56: a word counts once on all nodes of us', async () => {
    const second = await regions().us.openNode();
    try {
      const { traveller, word } = await prepare();
      const there = { us: traveller.us.at(second.app) };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_none, at) => send(at % 2 === 0 ? traveller : there, word)),
      );
      expect(answers.filter(isLetIn)).toHaveLength(1);
      expect(isLetIn(await send(there, word))).toBe(false);
    } finally {
      await second.close();
    }
  });

  test('S56: a stranger cannot have a victim signed in as the stranger', async () => {
    const [stranger, victim] = [openTraveller(regions()), openTraveller(regions())];
    const { returnUrl } = await signInAtHome(regions(), stranger);
    const location = String((await choose(stranger.eu, returnUrl)).json()['location']);
    // the victim follows the stranger's link, so that the request is the victim's browser's
    const door = (await victim.us.visit(location)).headers['location'] ?? '';
    expect((await victim.eu.visit(door)).headers['location']).toMatch(/^\/ui\/home\/error/);
    // the stranger fetches the word; what is left is to have the victim's browser post it, from a page of the stranger's
    const word = /name="word" value="([^"]+)"/.exec((await stranger.eu.visit(door)).text)?.[1] ?? '';
    for (const origin of ['http://evil.test', 'http://evil.anteroom.localhost', 'null']) {
      const posted = await victim.us.postForm('/regions/arrive', { word }, { origin });
      expect([posted.status, posted.json()['code']]).toEqual([403, 'csrf_failed']);
    }
    expect(await isSignedInAtUs(victim)).toBe(false);
  });

  test('S57: a region that the settings list no more is nobody, and nobody is sent there', async () => {
    const { us } = regions();
    const { traveller, word } = await prepare();
    const late = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), late);
    const location = String((await choose(late.eu, returnUrl)).json()['location']);

    await us.restart(us.keys, { REGIONS: `us=${us.url},ap=http://ap.anteroom.localhost` });
    const arrived = await late.us.at(us.app).visit(location);
    expect(arrived.headers['location']).toMatch(/^\/ui\/home\/error/);
    const posted = await send({ us: traveller.us.at(us.app) }, word);
    expect([posted.status, posted.json()['code']]).toEqual([403, 'csrf_failed']);
    // to whoever asks it is as if nobody were there, and the visitor stays where they are
    const again = await choose(late.eu, returnUrl);
    expect([again.status, again.json()['code']]).toEqual([400, 'session_migration_failure']);
    expect(await isSignedInAtEu(late)).toBe(true);
    await us.restart(us.keys);
  });

  test('S57: eu with a key that us cannot have asked for yet: the visitor stays signed in, and goes on seconds later', async () => {
    const { eu } = regions();
    const old = keyOf(eu);
    const { word } = await prepare();
    // somebody's nonsense has just made us ask for keys, which it does every few seconds at most
    const nonsense = await signAnew(word, createRegionKey('nonsense'));
    expect(isLetIn(await send(openTraveller(regions()), nonsense))).toBe(false);
    await eu.restart(createKeysOfRegion([createRegionKey('eu-next'), old], eu.keys));
    const traveller = openTraveller(regions());
    const { returnUrl } = await signInAtHome(regions(), traveller);
    const chosen = await choose(traveller.eu, returnUrl);
    expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
    expect(await isSignedInAtEu(traveller)).toBe(true);
    regions().advanceSeconds(6);
    expect((await choose(traveller.eu, returnUrl)).json()).toMatchObject({ status: 'redirect' });
  });

  test('strangers who come with nothing are told so, and leave no more traces than an address may', async () => {
    const { us } = regions();
    await us.restart(us.keys, { EXTERNAL_TRIPS_PER_TEN_MINUTES: '3' });
    await us.services.database.deleteFrom('limits').execute();
    const count = async () =>
      (await us.services.database.selectFrom('error_records').select('id').execute()).length;
    const before = await count();
    const stranger = us.openBrowser();
    for (let visit = 0; visit < 6; visit += 1)
      expect((await stranger.visit('/regions/arrive?request=none')).headers['location']).toMatch(
        visit < 3 ? /^\/ui\/home\/error\?errorId=/ : /^\/ui\/home\/error$/,
      );
    expect(await count()).toBe(before + 3);
    await us.restart(us.keys);
  });

  describe('carries along what the visitor was about', () => {
    const agenda = 'http://localhost:4401/agenda?meeting=7#item-2';
    const addressOf = (text: string): URL => {
      const found = /<a href="([^"]+)"/.exec(text)?.[1] ?? '';
      return new URL(found.replaceAll('&amp;', '&'));
    };

    test('the page of the application, and the language, though no cookie is shared', async () => {
      const traveller = openTraveller(regions());
      traveller.eu.cookies.set('anteroom_locale', { value: 'ar', path: '/' });
      const { word } = await prepareWord(regions(), traveller, { target_link_uri: agenda });
      expect(decodeJwt(word)).toMatchObject({ target_link_uri: agenda, ui_locales: 'ar' });
      const page = await send(traveller, word);
      expect(page.text).toContain('<html lang="ar" dir="rtl">');
      const onward = addressOf(page.text);
      expect(`${onward.origin}${onward.pathname}`).toBe('http://localhost:4401/initiate-sign-in');
      expect(Object.fromEntries(onward.searchParams)).toEqual({
        iss: regions().us.url,
        target_link_uri: agenda,
        ui_locales: 'ar',
      });
      // the pages of us speak it from now on
      expect(traveller.us.cookies.get('anteroom_locale')?.value).toBe('ar');
    });

    test('nothing where nothing was said', async () => {
      const { traveller, word } = await prepare();
      const said = decodeJwt(word);
      expect([said['target_link_uri'], said['ui_locales']]).toEqual([undefined, undefined]);
      const page = await send(traveller, word);
      expect([...addressOf(page.text).searchParams.keys()]).toEqual(['iss']);
      expect(traveller.us.cookies.get('anteroom_locale')).toBeUndefined();
    });

    test.each([
      'http://evil.test/agenda',
      '//evil.test/agenda',
      '/agenda',
      'http://localhost:4401.evil.test/',
      'http://localhost:4401@evil.test/',
      'http://user@localhost:4401/agenda',
      'https://localhost:4401/agenda',
      'http://localhost:4402/agenda',
      'blob:http://localhost:4401/agenda',
      'javascript:alert(1)//http://localhost:4401',
      `http://localhost:4401/${'x'.repeat(2000)}`,
    ])('S50: %s is no page of the application, neither for eu nor, if eu signed it, for us', async (said) => {
      const { traveller, word } = await prepare({ target_link_uri: said });
      expect(decodeJwt(word)['target_link_uri']).toBeUndefined();
      const signed = await signAnew(word, keyOf(regions().eu), { claims: { target_link_uri: said } });
      const page = await send(traveller, signed);
      expect(isLetIn(page)).toBe(true);
      expect(addressOf(page.text).searchParams.has('target_link_uri')).toBe(false);
    });

    test('a language that us does not speak is passed over', async () => {
      const { traveller, word } = await prepare();
      const claims = { ui_locales: 'tlh"; Path=/evil' };
      const page = await send(traveller, await signAnew(word, keyOf(regions().eu), { claims }));
      expect(isLetIn(page)).toBe(true);
      expect(addressOf(page.text).searchParams.has('ui_locales')).toBe(false);
      expect(traveller.us.cookies.get('anteroom_locale')).toBeUndefined();
    });
  });
});
