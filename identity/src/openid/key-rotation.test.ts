import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { askUserInfo, redeem, signIn } from '../../testing/journeys.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { isSignedByOneOf, makeSigningKey, readHeader } from '../../testing/signatures.ts';
import { deriveKeys } from '../lib/keys.ts';
import type { SigningKey } from '../lib/keys.ts';

// Attacks and faults, S53: a key is changed while tokens of the old one are alive. Three releases of one service on one database:
// before, in the overlap, and after.

describeStore('a signing key that is changed', (store) => {
  const clock = movableClock(new Date());
  const secret = randomBytes(32).toString('base64url');
  const [oldKey, newKey] = [makeSigningKey('old'), makeSigningKey('new')];
  let before: TestApplication;
  let overlap: TestApplication;
  let after: TestApplication;

  beforeAll(async () => {
    const release = (...keys: SigningKey[]) =>
      startApplication(store().database, { clock, keys: deriveKeys([secret], { keys }) });
    before = await release(oldKey);
    overlap = await release(newKey, oldKey);
    after = await release(newKey);
  });
  afterAll(() => Promise.all([before, overlap, after].map((release) => release.close())));

  async function signedInBefore() {
    const browser = before.openBrowser();
    const tokens = (await redeem(before, await signIn(browser))).json();
    return { browser, idToken: String(tokens['id_token']), accessToken: tokens['access_token'] };
  }
  const keysOf = async (release: TestApplication): Promise<unknown> =>
    (await release.openBrowser().visit('/connect/jwks')).json();
  const hint = async (browser: Browser, idToken: string): Promise<string> =>
    (
      await browser.follow(
        `/connect/session/end?${new URLSearchParams({ id_token_hint: idToken }).toString()}`,
      )
    ).address.pathname;

  test('S53: in the overlap both keys are published, no private part with them, and the new one signs', async () => {
    const jwks = (await keysOf(overlap)) as { keys: Record<string, unknown>[] };
    expect(jwks.keys.map(({ kid }) => kid)).toEqual(['new', 'old']);
    for (const key of jwks.keys) expect(key).not.toHaveProperty('d');
    const tokens = (await redeem(overlap, await signIn(overlap.openBrowser()))).json();
    expect(readHeader(String(tokens['id_token']))).toMatchObject({ kid: 'new' });
    expect(isSignedByOneOf(String(tokens['id_token']), jwks)).toBe(true);
  });

  test('S53: an ID token of the old key can be checked, and names its person at a sign-out, for as long as the overlap lasts', async () => {
    const { browser, idToken } = await signedInBefore();
    expect(isSignedByOneOf(idToken, await keysOf(overlap))).toBe(true);
    expect(await hint(browser.at(overlap.app), idToken)).toBe('/ui/account/logout');

    expect(isSignedByOneOf(idToken, await keysOf(after))).toBe(false);
    expect(await hint(browser.at(after.app), idToken)).toBe('/ui/home/error');
  });

  test('S53: access tokens and sessions have nothing to do with the key and live on', async () => {
    const { browser, accessToken } = await signedInBefore();
    for (const release of [overlap, after]) {
      expect((await askUserInfo(release, accessToken)).status).toBe(200);
      expect((await browser.at(release.app).call('/api/ui/sites')).status).toBe(200);
    }
  });

  test('S53: a code of the release before is redeemed in the next, with a token of the new key', async () => {
    const tokens = await redeem(overlap, await signIn(before.openBrowser()));
    expect(tokens.status, tokens.text).toBe(200);
    expect(readHeader(String(tokens.json()['id_token']))).toMatchObject({ kid: 'new' });
    expect((await overlap.openBrowser().visit('/.well-known/openid-configuration')).json()).toMatchObject({
      issuer: publicUrl,
    });
  });
});
