import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { redeem, signIn } from '../../testing/journeys.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { askForTokens } from '../../testing/relying-party.ts';
import { makeSigningKey, readHeader } from '../../testing/signatures.ts';
import { createNodeReports } from '../keys/nodes.ts';
import type { NodeReports } from '../keys/nodes.ts';
import { findDerivedKey } from '../lib/derived-keys.ts';
import { deriveKeys } from '../lib/keys.ts';
import type { KeyIds, SigningKey } from '../lib/keys.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';

// Tests that ID tokens use the algorithm of each client. Three configurations of one service share a database: before a
// key rotation, during the overlap, and after it. Their settings contain RSA keys only.

const keySet = v.object({ keys: v.array(v.looseObject({ kid: v.string(), kty: v.string() })) });

describeStore('a client’s algorithm', (store) => {
  const clock = movableClock(new Date());
  const secret = randomBytes(32).toString('base64url');
  const [oldKey, newKey] = [makeSigningKey('old', 'RS256'), makeSigningKey('new', 'RS256')];
  const [oldCompanion, newCompanion] = [oldKey, newKey].map((key) => findDerivedKey(key)?.kid ?? '');
  const keysOf = (...keys: SigningKey[]) => deriveKeys([secret], { keys });
  const started: TestApplication[] = [];
  let before: TestApplication;
  let overlap: TestApplication;
  let after: TestApplication;
  let listener: FakeGateway;

  const run = (words: string) => createCommandLine(store(), clock, {}, keysOf(oldKey)).run(words);
  const register = (id: string, options = '') =>
    run(
      `clients add ${id} --display-name ${id} --authentication none --redirect-uris ${portal.redirectUri}${options}`,
    );

  beforeAll(async () => {
    const release = async (...keys: SigningKey[]) => {
      const application = await startApplication(store().database, { clock, keys: keysOf(...keys) });
      started.push(application);
      return application;
    };
    before = await release(oldKey);
    overlap = await release(newKey, oldKey);
    after = await release(newKey);
    listener = await startFakeGateway();
    const registered = [
      await register('rsa'),
      await register(
        'ec',
        ` --id-token-alg ES256 --back-channel-logout-uri ${listener.url}/signed-out --resources https://ec.example/`,
      ),
      await run('clients add ec-api --display-name A --resource https://ec.example/ --id-token-alg ES256'),
    ];
    const refused = registered.find(({ code }) => code !== 0);
    if (refused !== undefined) throw new Error(refused.errors);
  });
  beforeEach(() => listener.behave({ status: 200 }));
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    await Promise.all(started.map((release) => release.close()));
    await listener.close();
  });

  async function signedIn(release: TestApplication, clientId: string) {
    const browser = release.openBrowser();
    const request = await signIn(browser, { client_id: clientId });
    const tokens = (await redeem(release, request, { client_id: clientId })).json();
    return { browser, idToken: String(tokens['id_token']) };
  }
  const jwksOf = async (release: TestApplication) => {
    const answer = (await release.openBrowser().visit('/connect/jwks')).json();
    return v.parse(keySet, answer);
  };
  /** Verifies a token like an application that has registered an algorithm (OpenID Connect Core, 3.1.3.7, rule 7). */
  const verify = async (release: TestApplication, token: string, algorithm: string, audience: string) =>
    await jwtVerify(token, createLocalJWKSet(await jwksOf(release)), {
      algorithms: [algorithm],
      issuer: publicUrl,
      audience,
    });
  const pageOfHint = async (browser: Browser, idToken: string): Promise<string> => {
    const query = new URLSearchParams({ id_token_hint: idToken }).toString();
    return (await browser.follow(`/connect/session/end?${query}`)).address.pathname;
  };

  test('is RS256 by default; a client registered for ES256 gets it, with a key that the service derives', async () => {
    const byDefault = await signedIn(before, 'rsa');
    expect(readHeader(byDefault.idToken)).toMatchObject({ alg: 'RS256', kid: 'old' });
    const chosen = await signedIn(before, 'ec');
    const { protectedHeader } = await verify(before, chosen.idToken, 'ES256', 'ec');
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: oldCompanion });
    await expect(verify(before, chosen.idToken, 'RS256', 'ec')).rejects.toThrow('"alg"');
  });

  test('is offered by discovery, and both keys are published without their private halves', async () => {
    const discovery = (await before.openBrowser().visit('/.well-known/openid-configuration')).json();
    expect(discovery).toMatchObject({ id_token_signing_alg_values_supported: ['RS256', 'ES256'] });
    const { keys } = await jwksOf(before);
    expect(keys).toMatchObject([
      { kid: 'old', kty: 'RSA', alg: 'RS256', use: 'sig' },
      { kid: oldCompanion, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' },
    ]);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });

  test('an ES256 key is rotated with its RSA key: during the overlap both are published and the new one signs, then only the new one is valid [S53]', async () => {
    const { keys } = await jwksOf(overlap);
    expect(keys.map(({ kid }) => kid)).toEqual(['new', newCompanion, 'old', oldCompanion]);
    const early = await signedIn(before, 'ec');
    const late = await signedIn(overlap, 'ec');
    expect(readHeader(late.idToken)).toMatchObject({ alg: 'ES256', kid: newCompanion });
    await verify(overlap, early.idToken, 'ES256', 'ec');
    await verify(overlap, late.idToken, 'ES256', 'ec');
    expect(await pageOfHint(early.browser.at(overlap.app), early.idToken)).toBe('/ui/account/logout');
    await verify(after, late.idToken, 'ES256', 'ec');
    await expect(verify(after, early.idToken, 'ES256', 'ec')).rejects.toThrow('no applicable key');
    expect(await pageOfHint(early.browser.at(after.app), early.idToken)).toBe('/ui/home/error');
  });

  test('signs logout tokens too (Back-Channel Logout 1.0, 2.6)', async () => {
    const { browser } = await signedIn(before, 'ec');
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    await expect.poll(() => listener.requests.length).toBe(1);
    const token = new URLSearchParams(listener.requests[0]?.body).get('logout_token') ?? '';
    const { protectedHeader } = await verify(before, token, 'ES256', 'ec');
    expect(protectedHeader).toMatchObject({ typ: 'logout+jwt', kid: oldCompanion });
  });

  test('of an API signs the access tokens for it, whichever algorithm the client has', async () => {
    const browser = before.openBrowser();
    const resource = 'https://ec.example/';
    const { code, codeVerifier } = await signIn(browser, { client_id: 'ec', resource });
    const tokens = await askForTokens(
      before.app,
      publicUrl,
      { ...portal, clientId: 'ec' },
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: portal.redirectUri,
        code_verifier: codeVerifier,
        resource,
      },
    );
    const accessToken = String(tokens.json()['access_token']);
    const { protectedHeader } = await verify(before, accessToken, 'ES256', resource);
    expect(protectedHeader).toMatchObject({ typ: 'at+jwt' });
  });

  test('can change in both directions while ID tokens of the other algorithm are used at sign-outs', async () => {
    await register('changing');
    let now = performance.now();
    for (const [algorithm, former] of [
      ['ES256', 'RS256'],
      ['RS256', 'ES256'],
    ]) {
      const { browser, idToken } = await signedIn(before, 'changing');
      expect(readHeader(idToken)).toMatchObject({ alg: former });
      expect(await run(`clients update changing --id-token-alg ${algorithm}`)).toMatchObject({ code: 0 });
      // Nodes cache a client for five seconds.
      now += 6000;
      vi.spyOn(performance, 'now').mockReturnValue(now);
      const [, payload = '', signature = ''] = idToken.split('.');
      const kid = algorithm === 'ES256' ? oldCompanion : 'old';
      const header = Buffer.from(JSON.stringify({ alg: algorithm, kid })).toString('base64url');
      expect(await pageOfHint(browser, `${header}.${payload}.${signature}`)).toBe('/ui/home/error');
      expect(await pageOfHint(browser, idToken)).toBe('/ui/account/logout');
      expect(readHeader((await signedIn(before, 'changing')).idToken)).toMatchObject({ alg: algorithm });
    }
  });

  describe('beside other nodes', () => {
    const reportNode = async (keyIds: KeyIds): Promise<NodeReports> => {
      const services = { database: store().database, clock, random: secureRandom, log: createLog('silent') };
      const node = createNodeReports(services, keyIds);
      await node.report();
      return node;
    };
    afterEach(() => store().database.deleteFrom('nodes').execute());

    test('is refused while a node of the release before, which has no ES256 key, is running', async () => {
      const node = await reportNode({ SIGNING_JWKS: ['old'] });
      const refused = await register('early', ' --id-token-alg ES256');
      expect(refused).toMatchObject({
        code: 1,
        errors: expect.stringContaining(`does not know the key ${oldCompanion} for ES256`),
      });
      expect(await register('early', ' --id-token-alg RS256')).toMatchObject({ code: 0 });
      // Other changes of a client that already uses ES256 are accepted.
      expect(await run('clients update ec --display-name Other')).toMatchObject({ code: 0 });
      await node.stop();
      await reportNode({ SIGNING_JWKS: ['old', oldCompanion ?? ''] });
      expect(await run('clients update early --id-token-alg ES256')).toMatchObject({ code: 0 });
    });

    test('is reported by each node with the keys that it knows', async () => {
      await overlap.checkReadiness();
      const rows = await store().database.selectFrom('nodes').select('known_keys').execute();
      expect(rows.map(({ known_keys: known }) => known['SIGNING_JWKS'])).toEqual([
        ['new', newCompanion, 'old', oldCompanion],
      ]);
    });
  });

  test('is stored under a name of the service, so that the previous release accepts the client and signs with its default', async () => {
    const { metadata } = await store()
      .database.selectFrom('clients')
      .select('metadata')
      .where('id', '=', 'ec')
      .executeTakeFirstOrThrow();
    expect(metadata).toMatchObject({ id_token_alg: 'ES256' });
    expect(metadata).not.toHaveProperty('id_token_signed_response_alg');
  });
});
