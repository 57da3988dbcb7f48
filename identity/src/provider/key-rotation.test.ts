import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { createBrowser } from '../../testing/browser.ts';
import type { Browser, Reachable } from '../../testing/browser.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { askUserInfo, redeem, signIn } from '../../testing/journeys.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { isSignedByOneOf, makeSigningKey, readHeader } from '../../testing/signatures.ts';
import { MissingKeyError, useKey } from '../keys/keys-in-use.ts';
import { loadKeys } from '../keys/load-keys.ts';
import { deriveKeys, secretId } from '../lib/keys.ts';
import type { SigningKey } from '../lib/keys.ts';
import { secureRandom } from '../lib/random.ts';

// Attacks and faults, S53: key rotation while tokens of the old key are still valid. Three configurations of one
// service share a database: before, during and after the overlap.

describeStore('signing key rotation', (store) => {
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

  test('during the overlap both public keys are published, without private parts, and the new key signs [I13, S53]', async () => {
    const jwks = (await keysOf(overlap)) as { keys: Record<string, unknown>[] };
    expect(jwks.keys.map(({ kid }) => kid)).toEqual(['new', 'old']);
    for (const key of jwks.keys) expect(key).not.toHaveProperty('d');
    const tokens = (await redeem(overlap, await signIn(overlap.openBrowser()))).json();
    expect(readHeader(String(tokens['id_token']))).toMatchObject({ kid: 'new' });
    expect(isSignedByOneOf(String(tokens['id_token']), jwks)).toBe(true);
  });

  test('an ID token of the old key can be verified and used as a hint until the overlap ends [I13, S53]', async () => {
    const { browser, idToken } = await signedInBefore();
    expect(isSignedByOneOf(idToken, await keysOf(overlap))).toBe(true);
    expect(await hint(browser.at(overlap.app), idToken)).toBe('/ui/account/logout');

    expect(isSignedByOneOf(idToken, await keysOf(after))).toBe(false);
    expect(await hint(browser.at(after.app), idToken)).toBe('/ui/home/error');
  });

  test('access tokens and sessions are independent of the signing key and stay valid [S53]', async () => {
    const { browser, accessToken } = await signedInBefore();
    for (const release of [overlap, after]) {
      expect((await askUserInfo(release, accessToken)).status).toBe(200);
      expect((await browser.at(release.app).call('/api/ui/sites')).status).toBe(200);
    }
  });

  test('a code of the previous configuration yields a token signed with the new key [S53]', async () => {
    const tokens = await redeem(overlap, await signIn(before.openBrowser()));
    expect(tokens.status, tokens.text).toBe(200);
    expect(readHeader(String(tokens.json()['id_token']))).toMatchObject({ kid: 'new' });
    expect((await overlap.openBrowser().visit('/.well-known/openid-configuration')).json()).toMatchObject({
      issuer: publicUrl,
    });
  });
});

describeStore('secret rotation, one node after the other', (store) => {
  const clock = movableClock(new Date());
  const signing = { keys: [makeSigningKey('one')] };
  const [old, made] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url')) as [
    string,
    string,
  ];
  const started: TestApplication[] = [];
  afterAll(() => Promise.all(started.map((node) => node.close())));

  async function startNode(...secrets: [string, ...string[]]): Promise<TestApplication> {
    const { database } = store();
    const config = { production: true, regions: undefined, secrets, signing };
    const keys = await loadKeys(config, database, { random: secureRandom, clock });
    const node = await startApplication(database, { clock, keys });
    started.push(node);
    return node;
  }
  /** A browser that alternates between the nodes. */
  function openBrowserAt(...nodes: TestApplication[]): Browser {
    let count = 0;
    const inject: Reachable['inject'] = (...given) => {
      count += 1;
      const node = nodes[count % nodes.length];
      if (node === undefined) throw new Error('no such node');
      return node.app.inject(...given);
    };
    return createBrowser({ inject }, publicUrl);
  }
  async function expectSignInsAt(...nodes: TestApplication[]): Promise<void> {
    for (const order of [nodes, nodes.toReversed()]) {
      const browser = openBrowserAt(...order);
      await signIn(browser);
      for (const _ of nodes) expect((await browser.call('/api/ui/sites')).status).toBe(200);
    }
  }

  test('no order of restarts loses a sign-in before, during or after a secret rotation [F06]', async () => {
    const first = await startNode(old);
    // The new secret is first in the list on only one node.
    const second = await startNode(made, old);
    await expectSignInsAt(first, second);
    const third = await startNode(old, made);
    await expectSignInsAt(second, third);
    const before = third.openBrowser();
    await signIn(before);

    const inUse = { setting: 'SECRETS' as const, id: secretId(made), production: true, now: clock.now() };
    await useKey(store().database, inUse);
    const fourth = await startNode(old, made);
    expect(fourth.keys.ids.SECRETS).toEqual([secretId(made), secretId(old)]);
    await expectSignInsAt(second, third, fourth);
    expect((await before.at(fourth.app).call('/api/ui/sites')).status).toBe(200);

    const fifth = await startNode(made);
    await expectSignInsAt(fourth, fifth);
  });

  test('production refuses to start without the secret in use', async () => {
    await expect(startNode(old)).rejects.toThrow(MissingKeyError);
  });
});
