import { beforeAll, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { askUserInfo, readIdToken, redeem, sendPassword, signIn } from '../../testing/journeys.ts';
import { findUserId } from '../../testing/recovery.ts';
import { askForTokens, beginSignIn } from '../../testing/relying-party.ts';
import type { Request } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';

// There are two tenants: the secretary is a member of harbor only, the director also of northwind and summit. The
// signed-in secretary, and the application of another tenant, try each identifier of the director's sign-in and tokens
// in every call that accepts it.

const application = useApplication();
const rival = { clientId: 'rival', redirectUri: 'https://rival.example/callback' };

type Victim = { browser: Browser; started: Request & { returnUrl: string } };
let secretary: Browser;
let victim: Victim;

beforeAll(async () => {
  const { database } = application().services;
  await addClients(database, {
    [rival.clientId]: {
      redirect_uris: [rival.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
  });
  secretary = application().openBrowser();
  await signIn(secretary);
  // The victim has entered the password but not the code, because such a sign-in is the most useful one to take over.
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  await sendPassword(browser, started, {
    site: 'northwind',
    userName: 'director@demo.example',
    password: demoPassword,
  });
  victim = { browser, started };
});

const signInsOfVictim = async () =>
  await application()
    .services.database.selectFrom('sign_ins')
    .selectAll()
    .where('user_id', '=', await findUserId(application(), 'director@demo.example'))
    .execute();

describe('the id of another user’s sign-in [S62]', () => {
  const newPassword = 'harbor stones under quiet water 12';
  const calls: [
    string,
    (browser: Browser, returnUrl: string) => Promise<{ status: number; text: string }>,
  ][] = [
    ['auth-context', (browser, returnUrl) => browser.call('/api/ui/auth-context', { returnUrl })],
    [
      'authenticate',
      (browser, returnUrl) =>
        browser.post('/api/ui/authenticate', {
          returnUrl,
          password: demoPassword,
          userName: 'secretary@demo.example',
        }),
    ],
    [
      'verify-mfa-code',
      (browser, returnUrl) => browser.post('/api/ui/verify-mfa-code', { returnUrl, code: '123456' }),
    ],
    ['resend-mfa-code', (browser, returnUrl) => browser.post('/api/ui/resend-mfa-code', { returnUrl })],
    [
      'select-site',
      (browser, returnUrl) => browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' }),
    ],
    [
      'password-reset',
      (browser, returnUrl) =>
        browser.post('/api/ui/password-reset', {
          returnUrl,
          currentPassword: demoPassword,
          newPassword,
          newPasswordConfirmation: newPassword,
        }),
    ],
  ];

  test.each(calls)(
    'is not found by %s, as if it did not exist, and the sign-in does not change',
    async (_name, call) => {
      const before = await signInsOfVictim();
      expect(before).toHaveLength(1);
      const foreign = await call(secretary, victim.started.returnUrl);
      const unknown = await call(
        secretary,
        victim.started.returnUrl.replace(
          /\/connect\/authorize\/[^?]+/,
          '/connect/authorize/never-was-one-0000000',
        ),
      );
      expect(foreign.status).toBe(404);
      expect({ status: foreign.status, text: foreign.text }).toEqual({
        status: unknown.status,
        text: unknown.text,
      });
      expect(await signInsOfVictim()).toEqual(before);
    },
  );

  test('does not resume the authorization request', async () => {
    const { address } = await secretary.follow(victim.started.returnUrl);
    // The browser gets a new request, which returns the secretary or no user.
    const code = address.searchParams.get('code');
    const tokens = code === null ? undefined : await redeem(application(), { ...victim.started, code });
    const subject = tokens?.status === 200 ? readIdToken(tokens)['sub'] : undefined;
    expect(subject).not.toBe(await findUserId(application(), 'director@demo.example'));
  });
});

describe('the tokens of an application for one tenant [S62]', () => {
  test('are refused for another application, both code and refresh token', async () => {
    const browser = application().openBrowser();
    const started = await signIn(browser, { scope: 'openid offline_access', prompt: 'consent' });
    const stolen = await askForTokens(application().app, publicUrl, rival, {
      grant_type: 'authorization_code',
      code: started.code,
      redirect_uri: rival.redirectUri,
      code_verifier: started.codeVerifier,
    });
    expect({ status: stolen.status, error: stolen.json()['error'] }).toEqual({
      status: 400,
      error: 'invalid_grant',
    });

    const again = await signIn(application().openBrowser(), {
      scope: 'openid offline_access',
      prompt: 'consent',
    });
    const tokens = (await redeem(application(), again)).json();
    const refreshed = await askForTokens(application().app, publicUrl, rival, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    });
    expect({ status: refreshed.status, error: refreshed.json()['error'] }).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
  });

  test('cannot be revoked by another application, whose response reveals nothing', async () => {
    const tokens = (await redeem(application(), await signIn(application().openBrowser()))).json();
    const revoke = async (clientId: string, token: string) => {
      const { statusCode, body } = await application().app.inject({
        method: 'POST',
        url: '/connect/revocation',
        headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ client_id: clientId, token }).toString(),
      });
      return { statusCode, body };
    };
    const accessToken = String(tokens['access_token']);
    expect(await revoke(rival.clientId, accessToken)).toEqual(await revoke(rival.clientId, 'never-was'));
    expect((await askUserInfo(application(), accessToken)).status).toBe(200);
    await revoke(portal.clientId, accessToken);
    expect((await askUserInfo(application(), accessToken)).status).toBe(401);
  });

  test('contain only their own user and site', async () => {
    const tokens = (await redeem(application(), await signIn(application().openBrowser()))).json();
    const { claims } = await askUserInfo(application(), tokens['access_token']);
    expect(claims).toMatchObject({ site: 'harbor', email: 'secretary@demo.example' });
    expect(JSON.stringify(claims)).not.toMatch(/northwind|summit|director/);
  });
});

test('refuses the cookies of one browser with the anti-forgery value of another [S62]', async () => {
  const answer = await secretary.post(
    '/api/ui/auth/sign-out',
    {},
    { 'x-xsrf-token': victim.browser.cookies.get('XSRF-TOKEN')?.value ?? '' },
  );
  expect(answer.status).toBe(403);
  expect((await secretary.call('/api/ui/sites')).status).toBe(200);
});
