import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyOf, signAnew, withParts } from '../../testing/regions/forged-tokens.ts';
import { fetchTokens, isLetIn, openVisitor, postToken, prepareToken } from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import { createRegionKey } from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';
import { tokenTypes } from './signed-tokens.ts';

describe('hand-over tokens that eu has not signed, or not for this purpose', () => {
  const regions = useRegions();
  const prepare = () => prepareToken(regions(), openVisitor(regions()));
  const send = ({ us }: Pick<Visitor, 'us'>, token: string) => postToken(us, regions().eu.url, token);

  async function expectRefused(visitor: Visitor, token: string): Promise<void> {
    const answer = await send(visitor, token);
    expect(isLetIn(answer)).toBe(false);
    expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=[\w-]+$/);
    expect((await visitor.us.call('/api/ui/sites')).status).toBe(401);
  }

  const signed: [string, (token: string, eu: TestRegion, us: TestRegion) => Promise<string> | string][] = [
    ['edited', (token) => withParts(token, { claims: { methods: [{ method: 'otp', at: 1 }] } })],
    ['without a signature', (token) => withParts(token, { header: { alg: 'none' }, signature: '' })],
    [
      'signed with the public key as an HMAC secret',
      (token, eu) => {
        const forged = withParts(token, { header: { alg: 'HS256' }, signature: '' });
        const { d: _private, ...publicKey } = keyOf(eu);
        const mac = createHmac('sha256', JSON.stringify(publicKey)).update(forged.slice(0, -1));
        return `${forged}${mac.digest('base64url')}`;
      },
    ],
    ["signed by us's own key", (token, _eu, us) => signAnew(token, keyOf(us))],
    [
      "signed by us's own key under eu's id",
      (token, eu, us) => signAnew(token, keyOf(us), { kid: keyOf(eu).kid }),
    ],
    ['signed by an unknown key', (token) => signAnew(token, createRegionKey('unknown'))],
    ["signed by eu's key for ID tokens", (token, eu) => signAnew(token, eu.keys.signing.keys[0]!)],
    ['signed under a path as key id', (token, eu) => signAnew(token, keyOf(eu), { kid: '../../etc/passwd' })],
    ['for eu itself', (token, eu) => signAnew(token, keyOf(eu), { claims: { aud: eu.url } })],
    [
      'for a third region',
      (token, eu) => signAnew(token, keyOf(eu), { claims: { aud: 'http://ap.anteroom.localhost' } }),
    ],
    [
      'for us and others',
      (token, eu, us) => signAnew(token, keyOf(eu), { claims: { aud: [us.url, eu.url] } }),
    ],
    [
      'for another spelling of us',
      (token, eu, us) => signAnew(token, keyOf(eu), { claims: { aud: `${us.url}/` } }),
    ],
    [
      'from an issuer that is not a region',
      (token, eu) => signAnew(token, keyOf(eu), { claims: { iss: 'http://evil.test' } }),
    ],
    ['issued by us itself', (token, eu, us) => signAnew(token, keyOf(eu), { claims: { iss: us.url } })],
    [
      'with the type of a request token',
      (token, eu) => signAnew(token, keyOf(eu), { typ: tokenTypes.request }),
    ],
    [
      'with the type of a notice token',
      (token, eu) => signAnew(token, keyOf(eu), { typ: tokenTypes.notice }),
    ],
    ['with the type of an ID token', (token, eu) => signAnew(token, keyOf(eu), { typ: 'JWT' })],
    ['without an expiry', (token, eu) => signAnew(token, keyOf(eu), { claims: { exp: undefined } })],
    ['without an issue time', (token, eu) => signAnew(token, keyOf(eu), { claims: { iat: undefined } })],
    [
      'valid for an hour',
      (token, eu) => signAnew(token, keyOf(eu), { claims: { exp: Date.now() / 1000 + 3600 } }),
    ],
    ['without a jti', (token, eu) => signAnew(token, keyOf(eu), { claims: { jti: undefined } })],
    ['for another user', (token, eu) => signAnew(token, keyOf(eu), { claims: { sub: 'somebody-else' } })],
    [
      'for another request',
      (token, eu) => signAnew(token, keyOf(eu), { claims: { request: 'x'.repeat(43) } }),
    ],
    [
      'with an unknown authentication method',
      (token, eu) => signAnew(token, keyOf(eu), { claims: { methods: [{ method: 'face', at: 1 }] } }),
    ],
    ['that is not a JWT', () => 'token'],
    ['that is empty', () => ''],
  ];
  test.each(signed)(
    'a token %s is rejected, and the genuine token is accepted (control) [S56]',
    async (_name, forge) => {
      const { visitor, token } = await prepare();
      await expectRefused(visitor, await forge(token, regions().eu, regions().us));
      const control = await prepare();
      expect(isLetIn(await send(control.visitor, control.token))).toBe(true);
    },
  );

  test('an ID token of eu is not a hand-over token [S56]', async () => {
    const { visitor } = await prepare();
    const { eu } = regions();
    const tokens = await fetchTokens(eu, visitor.eu);
    const token = String(tokens.json()['id_token']);
    expect(token.split('.')).toHaveLength(3);
    await expectRefused(visitor, token);
  });

  test.each([
    ['nobody', undefined, undefined],
    ['no particular origin', 'same-site', 'null'],
    ['an unrelated site', 'cross-site', 'http://evil.test'],
    ['a sibling domain', 'same-site', 'http://evil.anteroom.localhost'],
    ['another site that claims to be eu', 'cross-site', 'eu'],
  ])('a form from %s is rejected before its body is read [S12]', async (_name, site, from) => {
    const { visitor, token } = await prepare();
    const origin = from === 'eu' ? regions().eu.url : from;
    const answer = await visitor.us.postForm(
      '/regions/arrive',
      { word: token },
      { ...(site !== undefined && { 'sec-fetch-site': site }), ...(origin !== undefined && { origin }) },
    );
    expect([answer.status, answer.json()['code']]).toEqual([403, 'csrf_failed']);
    expect(isLetIn(await send(visitor, token))).toBe(true);
  });
});
