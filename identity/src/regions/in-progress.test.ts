import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { keyOf, signAnew } from '../../testing/regions/forged-tokens.ts';
import {
  choose,
  isLetIn,
  openVisitor,
  postToken,
  prepareToken,
  signInAtHome,
} from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import { createKeysOfRegion, createRegionKey } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

describe('a hand-over in progress', () => {
  const regions = useRegions();

  const prepare = (parameters: Record<string, string> = {}) =>
    prepareToken(regions(), openVisitor(regions()), parameters);
  const send = ({ us }: Pick<Visitor, 'us'>, token: string) => postToken(us, regions().eu.url, token);
  const isSignedInAtUs = async ({ us }: Visitor) => (await us.call('/api/ui/sites')).status === 200;
  const isSignedInAtEu = async ({ eu }: Visitor) => (await eu.call('/api/ui/sites')).status === 200;
  const signOut = async ({ eu }: Visitor) => {
    await eu.call('/api/ui/logout-context');
    expect((await eu.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await regions().eu.services.regions?.linkNotices.settle();
  };

  test('a sign-out in eu before the token is issued prevents the token [S58]', async () => {
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    const location = String((await choose(visitor.eu, returnUrl)).json()['location']);
    const returnAddress = (await visitor.us.visit(location)).headers['location'] ?? '';
    await signOut(visitor);
    expect((await visitor.eu.visit(returnAddress)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('a sign-out in eu after the token is issued prevents the sign-in in region us [S58]', async () => {
    const { visitor, token } = await prepare();
    await signOut(visitor);
    const answer = await send(visitor, token);
    expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=/);
    expect(await isSignedInAtUs(visitor)).toBe(false);
    // A late or repeated notice does not affect other hand-overs.
    const { visitor: other, token: honest } = await prepare();
    expect(isLetIn(await send(other, honest))).toBe(true);
  });

  test('a notice that arrives at the same moment either prevents the session or ends it [S58]', async () => {
    const { visitor, token } = await prepare();
    const link = String(decodeJwt(token)['link']);
    const { eu, us } = regions();
    const [noticeResponse] = await Promise.all([
      eu.services.regions!.send(us.url, 'notice', { links: [link] }),
      send(visitor, token),
    ]);
    expect(noticeResponse.status).toBe(204);
    expect(await isSignedInAtUs(visitor)).toBe(false);
  });

  test('an attacker cannot sign a victim in as the attacker [S56]', async () => {
    const [attacker, victim] = [openVisitor(regions()), openVisitor(regions())];
    const { returnUrl } = await signInAtHome(regions(), attacker);
    const location = String((await choose(attacker.eu, returnUrl)).json()['location']);
    // The victim follows the attacker's link, which binds the arrival to the victim's browser.
    const returnAddress = (await victim.us.visit(location)).headers['location'] ?? '';
    expect((await victim.eu.visit(returnAddress)).headers['location']).toMatch(/^\/ui\/home\/error/);
    // The attacker fetches the token and makes the victim's browser post it from the attacker's page.
    const token =
      /name="word" value="([^"]+)"/.exec((await attacker.eu.visit(returnAddress)).text)?.[1] ?? '';
    for (const origin of ['http://evil.test', 'http://evil.anteroom.localhost', 'null']) {
      const posted = await victim.us.postForm('/regions/arrive', { word: token }, { origin });
      expect([posted.status, posted.json()['code']]).toEqual([403, 'csrf_failed']);
    }
    expect(await isSignedInAtUs(victim)).toBe(false);
  });

  test('a region removed from the settings is rejected, and no visitor is sent there [S57]', async () => {
    const { us } = regions();
    const { visitor, token } = await prepare();
    const late = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), late);
    const location = String((await choose(late.eu, returnUrl)).json()['location']);

    await us.restart(us.keys, { REGIONS: `us=${us.url},ap=http://ap.anteroom.localhost` });
    const arrived = await late.us.at(us.app).visit(location);
    expect(arrived.headers['location']).toMatch(/^\/ui\/home\/error/);
    const posted = await send({ us: visitor.us.at(us.app) }, token);
    expect([posted.status, posted.json()['code']]).toEqual([403, 'csrf_failed']);
    // For that region, this region is unavailable, so the visitor stays there.
    const again = await choose(late.eu, returnUrl);
    expect([again.status, again.json()['code']]).toEqual([400, 'session_migration_failure']);
    expect(await isSignedInAtEu(late)).toBe(true);
    await us.restart(us.keys);
  });

  test('with a new key of eu that us must not fetch yet, the visitor stays signed in and succeeds seconds later [S57]', async () => {
    const { eu } = regions();
    const old = keyOf(eu);
    const { token } = await prepare();
    // An invalid token has just triggered a request for the keys, so region us must not send another request yet.
    const nonsense = await signAnew(token, createRegionKey('nonsense'));
    expect(isLetIn(await send(openVisitor(regions()), nonsense))).toBe(false);
    await eu.restart(createKeysOfRegion([createRegionKey('eu-next'), old], eu.keys));
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    const chosen = await choose(visitor.eu, returnUrl);
    expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
    expect(await isSignedInAtEu(visitor)).toBe(true);
    regions().advanceSeconds(6);
    expect((await choose(visitor.eu, returnUrl)).json()).toMatchObject({ status: 'redirect' });
  });

  test('anonymous requests without an arrival get an error page and count towards the limit for their address', async () => {
    const { us } = regions();
    await us.restart(us.keys, { LIMIT_ADDRESS_FAILURES: '1' });
    await us.services.database.deleteFrom('limits').execute();
    const count = async () =>
      (await us.services.database.selectFrom('error_records').select('id').execute()).length;
    const before = await count();
    const attacker = us.openBrowser();
    for (let visit = 0; visit < 6; visit += 1)
      expect((await attacker.visit('/regions/arrive?request=none')).headers['location']).toMatch(
        visit < 3 ? /^\/ui\/home\/error\?errorId=/ : /^\/ui\/home\/error$/,
      );
    expect(await count()).toBe(before + 3);
    await us.restart(us.keys);
  });

  describe('passes the visitor’s context on', () => {
    const agenda = 'http://localhost:4401/agenda?meeting=7#item-2';
    const addressOf = (text: string): URL => {
      const found = /<a href="([^"]+)"/.exec(text)?.[1] ?? '';
      return new URL(found.replaceAll('&amp;', '&'));
    };

    test('the target page and the language, without a shared cookie', async () => {
      const visitor = openVisitor(regions());
      visitor.eu.cookies.set('anteroom_locale', { value: 'ar', path: '/' });
      const { token } = await prepareToken(regions(), visitor, { target_link_uri: agenda });
      expect(decodeJwt(token)).toMatchObject({ target_link_uri: agenda, ui_locales: 'ar' });
      const page = await send(visitor, token);
      expect(page.text).toContain('<html lang="ar" dir="rtl">');
      const onward = addressOf(page.text);
      expect(`${onward.origin}${onward.pathname}`).toBe('http://localhost:4401/initiate-sign-in');
      expect(Object.fromEntries(onward.searchParams)).toEqual({
        iss: regions().us.url,
        target_link_uri: agenda,
        ui_locales: 'ar',
      });
      // The pages of us use this language from now on.
      expect(visitor.us.cookies.get('anteroom_locale')?.value).toBe('ar');
    });

    test('omits absent values', async () => {
      const { visitor, token } = await prepare();
      const said = decodeJwt(token);
      expect([said['target_link_uri'], said['ui_locales']]).toEqual([undefined, undefined]);
      const page = await send(visitor, token);
      expect([...addressOf(page.text).searchParams.keys()]).toEqual(['iss']);
      expect(visitor.us.cookies.get('anteroom_locale')).toBeUndefined();
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
    ])('%s is rejected as target page by eu and, if eu signed it, by us [S50]', async (said) => {
      const { visitor, token } = await prepare({ target_link_uri: said });
      expect(decodeJwt(token)['target_link_uri']).toBeUndefined();
      const signed = await signAnew(token, keyOf(regions().eu), { claims: { target_link_uri: said } });
      const page = await send(visitor, signed);
      expect(isLetIn(page)).toBe(true);
      expect(addressOf(page.text).searchParams.has('target_link_uri')).toBe(false);
    });

    test('ignores a language that us does not support', async () => {
      const { visitor, token } = await prepare();
      const claims = { ui_locales: 'tlh"; Path=/evil' };
      const page = await send(visitor, await signAnew(token, keyOf(regions().eu), { claims }));
      expect(isLetIn(page)).toBe(true);
      expect(addressOf(page.text).searchParams.has('ui_locales')).toBe(false);
      expect(visitor.us.cookies.get('anteroom_locale')).toBeUndefined();
    });
  });
});
