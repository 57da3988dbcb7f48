import { beforeAll, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import { askUserInfo, readIdToken, redeem, signIn } from '../../testing/journeys.ts';
import { askForTokens } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

const profile = { name: 'Samira Okafor', given_name: 'Samira', family_name: 'Okafor' };
const email = { email: 'secretary@demo.example' };

beforeAll(async () => {
  const { database } = application().services;
  await addClients(
    database,
    {
      'with-profile': {
        id_token_profile: true,
        grant_types: ['authorization_code', 'refresh_token'],
      },
      'without-email': { scope: 'openid profile' },
    },
    { redirect_uris: [portal.redirectUri], token_endpoint_auth_method: 'none' },
  );
});

/** Signs in at a client and returns the claims of the ID token and of userinfo. */
async function claimsAt(clientId: string, changes: Record<string, string>) {
  const asked = { client_id: clientId, ...changes };
  const started = await signIn(application().openBrowser(), asked);
  const tokens = await redeem(application(), started, { client_id: clientId });
  const { claims } = await askUserInfo(application(), tokens.json()['access_token']);
  return { tokens: tokens.json(), idToken: readIdToken(tokens), userinfo: claims };
}

describe('the claims parameter (OpenID Connect Core, 5.5)', () => {
  test('returns a claim in the requested place (ID token or userinfo), independent of the scope', async () => {
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { name: { essential: true } } });
    const { idToken, userinfo } = await claimsAt(portal.clientId, { scope: 'openid', claims });
    expect(idToken).toMatchObject(email);
    expect(idToken).not.toHaveProperty('name');
    expect(userinfo).toMatchObject({ name: profile.name });
    expect(userinfo).not.toHaveProperty('email');
  });

  test('omits claims of scopes that the client is not registered for', async () => {
    const claims = JSON.stringify({ id_token: { email: null, name: null }, userinfo: { email: null } });
    const { idToken, userinfo } = await claimsAt('without-email', { scope: 'openid', claims });
    expect(idToken).toMatchObject({ name: profile.name });
    expect(idToken).not.toHaveProperty('email');
    expect(userinfo).not.toHaveProperty('email');
  });

  test('omits claims that the service does not support', async () => {
    const claims = JSON.stringify({ id_token: { phone_number: null, toString: null, __proto__: null } });
    const { idToken } = await claimsAt(portal.clientId, { scope: 'openid', claims });
    expect(Object.keys(idToken)).not.toEqual(expect.arrayContaining(['phone_number']));
  });
});

describe('a client registered with the profile in the ID token', () => {
  test('gets the claims of the requested scopes in the ID token and at userinfo', async () => {
    const { idToken, userinfo } = await claimsAt('with-profile', { scope: 'openid profile email' });
    expect(idToken).toMatchObject({ ...profile, ...email, site: 'harbor' });
    expect(userinfo).toMatchObject({ ...profile, ...email });
  });

  test('gets no claims of scopes that it does not request', async () => {
    const { idToken } = await claimsAt('with-profile', { scope: 'openid email' });
    expect(idToken).toMatchObject(email);
    for (const name of Object.keys(profile)) expect(idToken).not.toHaveProperty(name);
  });

  test('gets these claims again with each refresh', async () => {
    const { tokens } = await claimsAt('with-profile', {
      scope: 'openid email offline_access',
      prompt: 'consent',
    });
    const renewed = await askForTokens(
      application().app,
      publicUrl,
      { ...portal, clientId: 'with-profile' },
      { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) },
    );
    expect(readIdToken(renewed)).toMatchObject(email);
  });

  test('does not affect the ID tokens of other clients', async () => {
    const { idToken } = await claimsAt(portal.clientId, { scope: 'openid profile email' });
    for (const name of Object.keys({ ...profile, ...email })) expect(idToken).not.toHaveProperty(name);
  });
});
