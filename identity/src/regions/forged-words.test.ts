import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyOf, signAnew, withParts } from '../../testing/regions/forged-words.ts';
import {
  fetchTokens,
  isLetIn,
  openTraveller,
  postWord,
  prepareWord,
} from '../../testing/regions/traveller.ts';
import type { Traveller } from '../../testing/regions/traveller.ts';
import { createRegionKey } from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';
import { wordTypes } from './signed-words.ts';

describe('words that eu has not signed, or not for this', () => {
  const regions = useRegions();
  const prepare = () => prepareWord(regions(), openTraveller(regions()));
  const send = ({ us }: Pick<Traveller, 'us'>, word: string) => postWord(us, regions().eu.url, word);

  async function expectRefused(traveller: Traveller, word: string): Promise<void> {
    const answer = await send(traveller, word);
    expect(isLetIn(answer)).toBe(false);
    expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=[\w-]+$/);
    expect((await traveller.us.call('/api/ui/sites')).status).toBe(401);
  }

  const signed: [string, (word: string, eu: TestRegion, us: TestRegion) => Promise<string> | string][] = [
    ['edited', (word) => withParts(word, { claims: { amr: ['pwd', 'otp'] } })],
    ['without a signature', (word) => withParts(word, { header: { alg: 'none' }, signature: '' })],
    [
      'signed by the public key as a secret',
      (word, eu) => {
        const forged = withParts(word, { header: { alg: 'HS256' }, signature: '' });
        const { d: _private, ...publicKey } = keyOf(eu);
        const mac = createHmac('sha256', JSON.stringify(publicKey)).update(forged.slice(0, -1));
        return `${forged}${mac.digest('base64url')}`;
      },
    ],
    ["signed by us's own key", (word, _eu, us) => signAnew(word, keyOf(us))],
    [
      "signed by us's own key under eu's id",
      (word, eu, us) => signAnew(word, keyOf(us), { kid: keyOf(eu).kid }),
    ],
    ['signed by a key that nobody knows', (word) => signAnew(word, createRegionKey('unknown'))],
    ["signed by eu's key for ID tokens", (word, eu) => signAnew(word, eu.keys.signing.keys[0]!)],
    ['signed under a path as key id', (word, eu) => signAnew(word, keyOf(eu), { kid: '../../etc/passwd' })],
    ['for eu itself', (word, eu) => signAnew(word, keyOf(eu), { claims: { aud: eu.url } })],
    [
      'for a third region',
      (word, eu) => signAnew(word, keyOf(eu), { claims: { aud: 'http://ap.anteroom.localhost' } }),
    ],
    ['for us and others', (word, eu, us) => signAnew(word, keyOf(eu), { claims: { aud: [us.url, eu.url] } })],
    [
      'for us by another spelling',
      (word, eu, us) => signAnew(word, keyOf(eu), { claims: { aud: `${us.url}/` } }),
    ],
    [
      'of an issuer that is no region',
      (word, eu) => signAnew(word, keyOf(eu), { claims: { iss: 'http://evil.test' } }),
    ],
    ['of us itself', (word, eu, us) => signAnew(word, keyOf(eu), { claims: { iss: us.url } })],
    ['of the type of a request', (word, eu) => signAnew(word, keyOf(eu), { typ: wordTypes.request })],
    ['of the type of a notice', (word, eu) => signAnew(word, keyOf(eu), { typ: wordTypes.notice })],
    ['of the type of an ID token', (word, eu) => signAnew(word, keyOf(eu), { typ: 'JWT' })],
    ['without an end', (word, eu) => signAnew(word, keyOf(eu), { claims: { exp: undefined } })],
    ['without a beginning', (word, eu) => signAnew(word, keyOf(eu), { claims: { iat: undefined } })],
    [
      'good for an hour',
      (word, eu) => signAnew(word, keyOf(eu), { claims: { exp: Date.now() / 1000 + 3600 } }),
    ],
    ['without a name of its own', (word, eu) => signAnew(word, keyOf(eu), { claims: { jti: undefined } })],
    ['for another person', (word, eu) => signAnew(word, keyOf(eu), { claims: { sub: 'somebody-else' } })],
    ['for another request', (word, eu) => signAnew(word, keyOf(eu), { claims: { request: 'x'.repeat(43) } })],
    [
      'with a proof that nobody knows',
      (word, eu) => signAnew(word, keyOf(eu), { claims: { amr: ['pwd', 'face'] } }),
    ],
    ['that is none', () => 'word'],
    ['that is empty', () => ''],
  ];
  test.each(signed)(
    'S56: a word %s is refused, and the honest one is not (control)',
    async (_name, forge) => {
      const { traveller, word } = await prepare();
      await expectRefused(traveller, await forge(word, regions().eu, regions().us));
      const control = await prepare();
      expect(isLetIn(await send(control.traveller, control.word))).toBe(true);
    },
  );

  test('S56: an ID token of eu is no word', async () => {
    const { traveller } = await prepare();
    const { eu } = regions();
    const tokens = await fetchTokens(eu, traveller.eu);
    const token = String(tokens.json()['id_token']);
    expect(token.split('.')).toHaveLength(3);
    await expectRefused(traveller, token);
  });

  test.each([
    ['nobody', undefined, undefined],
    ['nothing in particular', 'same-site', 'null'],
    ['a stranger', 'cross-site', 'http://evil.test'],
    ['a neighbour', 'same-site', 'http://evil.anteroom.localhost'],
    ['another site that says it is eu', 'cross-site', 'eu'],
  ])('S12: a form that comes from %s is refused before it is read', async (_name, site, from) => {
    const { traveller, word } = await prepare();
    const origin = from === 'eu' ? regions().eu.url : from;
    const answer = await traveller.us.postForm(
      '/regions/arrive',
      { word },
      { ...(site !== undefined && { 'sec-fetch-site': site }), ...(origin !== undefined && { origin }) },
    );
    expect([answer.status, answer.json()['code']]).toEqual([403, 'csrf_failed']);
    expect(isLetIn(await send(traveller, word))).toBe(true);
  });
});
