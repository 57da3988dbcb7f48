import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { redeem, signIn } from '../../testing/journeys.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

async function refusals() {
  const { audit, database } = application().services;
  await audit.flush();
  const rows = await database
    .selectFrom('audit_events')
    .select(['client_id', 'reason', 'details'])
    .where('event', '=', 'client.request')
    .orderBy('number')
    .execute();
  await database.deleteFrom('audit_events').execute();
  return rows;
}

describe('the audit log of rejected requests', () => {
  test.each([
    [
      'without PKCE',
      authorizeAddress(portal, { code_challenge: undefined, code_challenge_method: undefined }).address,
      'Authorization Server policy requires PKCE to be used for this request',
      'authorization',
    ],
    [
      'with a redirect URI that is not registered',
      authorizeAddress(portal, { redirect_uri: 'https://evil.test/' }).address,
      "redirect_uri did not match any of the client's registered redirect_uris",
      'authorization',
    ],
    [
      'for a sign-out with an unregistered post_logout_redirect_uri',
      `/connect/session/end?client_id=${portal.clientId}&post_logout_redirect_uri=https://evil.test/`,
      'post_logout_redirect_uri not registered',
      'end_session',
    ],
  ])('names the client and the reason of a request %s', async (_name, address, reason, route) => {
    await application().openBrowser().visit(address);
    expect(await refusals()).toMatchObject([{ client_id: 'director', reason, details: { route } }]);
  });

  test('names the client and the reason of a userinfo request from an unregistered origin', async () => {
    const tokens = await redeem(application(), await signIn(application().openBrowser()));
    await application().app.inject({
      url: '/connect/userinfo',
      headers: {
        host: new URL(publicUrl).host,
        origin: 'https://evil.test',
        authorization: `Bearer ${String(tokens.json()['access_token'])}`,
      },
    });
    expect(await refusals()).toMatchObject([
      { client_id: 'director', reason: 'origin https://evil.test not allowed for client: director' },
    ]);
  });

  test('has no entry for an unregistered client or for prompt=none without a session', async () => {
    const browser = application().openBrowser();
    await browser.visit(authorizeAddress(portal, { client_id: 'made-up' }).address);
    await browser.visit(authorizeAddress(portal, { prompt: 'none' }).address);
    expect(await refusals()).toEqual([]);
  });
});
