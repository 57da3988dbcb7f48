import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import {
  openEmbeddedTestDatabase,
  openServerTestDatabase,
  serverIsThere,
} from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { askForTokens, authorizeAddress } from '../../testing/relying-party.ts';
import {
  choose,
  fetchWord,
  isLetIn,
  openTraveller,
  postWord,
  signInAtHome,
  travel,
} from '../../testing/regions/traveller.ts';
import { directorId, lakeside, startTwoRegions } from '../../testing/regions/two-regions.ts';
import type { TwoRegions } from '../../testing/regions/two-regions.ts';

const kinds = [
  { kind: 'PGlite', open: openEmbeddedTestDatabase },
  ...(serverIsThere() ? [{ kind: 'PostgreSQL', open: openServerTestDatabase }] : []),
];

describe.each(kinds)('a visitor of eu who chooses a site of us, on $kind', ({ open }) => {
  let databases: { eu: TestDatabase; us: TestDatabase };
  let regions: TwoRegions;
  beforeAll(async () => {
    databases = { eu: await open(), us: await open() };
    regions = await startTwoRegions(databases);
  });
  afterAll(async () => {
    await regions.close();
    await databases.eu.close();
    await databases.us.close();
  });

  test('comes to us with what was proved in eu, and the application gets its tokens from us', async () => {
    const traveller = openTraveller(regions);
    const page = await travel(regions, traveller);
    expect(isLetIn(page), page.text).toBe(true);
    expect(page.text).toContain(
      `http://localhost:4401/initiate-sign-in?iss=${encodeURIComponent(regions.us.url)}`,
    );

    const request = authorizeAddress(portal);
    const { address } = await traveller.us.follow(request.address);
    expect(address.searchParams.get('iss')).toBe(regions.us.url);
    const tokens = await askForTokens(regions.us.app, regions.us.url, portal, {
      grant_type: 'authorization_code',
      code: address.searchParams.get('code') ?? '',
      redirect_uri: portal.redirectUri,
      code_verifier: request.codeVerifier,
    });
    const [, payload = ''] = String(tokens.json()['id_token']).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: regions.us.url,
      sub: directorId,
      site: lakeside,
      amr: ['pwd', 'sms'],
    });
  });
});
