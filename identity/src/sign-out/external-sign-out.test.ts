import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { connect } from '../../testing/company/connect.ts';
import { startHostileProvider } from '../../testing/company/hostile-provider.ts';
import type { HostileProvider } from '../../testing/company/hostile-provider.ts';
import { logoutTokenAttacks } from '../../testing/company/logout-attacks.ts';
import { askUserInfo, redeem } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { post } from '../../testing/saml/sign-on.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication({ settings: { LIMIT_ADDRESS_FAILURES: '1000' } });
const portalAfterwards = 'http://localhost:4401/signed-out';
let peer: HostileProvider;

beforeAll(async () => {
  peer = await startHostileProvider();
});
afterAll(() => peer.close());
beforeEach(async () => {
  const { database } = application().services;
  // The provider uses the real time.
  const { clock } = application();
  clock.advanceSeconds((Date.now() - clock.now().getTime()) / 1000);
  Object.assign(peer, { recipe: { claims: { sid: 'session-1' } }, asked: [] });
  peer.metadata = { end_session_endpoint: `${peer.issuer}/end?of=all` };
  await database.updateTable('sites').set({ connection_id: null }).execute();
  await database.deleteFrom('external_identities').execute();
  await database.deleteFrom('connections').execute();
  await database.deleteFrom('limits').execute();
  await connectCompany();
});

const connectCompany = (signOutThere = true, name = 'corp-openid') =>
  connect(application(), {
    name,
    settings: { issuer: peer.issuer, clientId: peer.clientId, signOutThere },
    provisioning: 'just_in_time',
    domains: ['corp.example'],
    sites: ['corp'],
  });

/** Signs a browser in at the provider, and returns the application's tokens. */
async function signIn() {
  const browser = application().openBrowser();
  const { returnUrl, codeVerifier } = await beginSignIn(browser, portal);
  const query = new URLSearchParams({ site: 'corp', returnUrl });
  const left = await browser.visit(`/api/ui/auth/external/redirect?${query.toString()}`);
  const asked = new URL(left.headers['location'] ?? '').searchParams;
  peer.nonce = asked.get('nonce') ?? '';
  const told = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', iss: peer.issuer });
  const back = await browser.visit(`/external/callback?${told.toString()}`);
  const { address } = await browser.follow(back.headers['location'] ?? '');
  const tokens = await redeem(application(), { codeVerifier, code: address.searchParams.get('code') ?? '' });
  const { access_token: accessToken, id_token: idToken } = tokens.json();
  return { browser, returnUrl, accessToken, idToken: String(idToken) };
}
type SignedIn = Awaited<ReturnType<typeof signIn>>;

/** Whether the session of the browser and the access token of the application are valid. */
async function alive({ browser, accessToken, returnUrl }: SignedIn) {
  return {
    session: (await browser.call('/api/ui/sites', { returnUrl })).status === 200,
    token: (await askUserInfo(application(), accessToken)).status === 200,
  };
}
const living = { session: true, token: true };
const over = { session: false, token: false };

describe('signing out at the OpenID provider too', () => {
  /** Requests a sign-out as the application, and returns the redirect target of the logged-out page. */
  async function askToSignOut({ browser, idToken }: SignedIn): Promise<string> {
    const query = { id_token_hint: idToken, post_logout_redirect_uri: portalAfterwards, state: 'a b' };
    const { address } = await browser.follow(`/connect/session/end?${new URLSearchParams(query).toString()}`);
    const logoutId = address.searchParams.get('logoutId') ?? '';
    const context = (await browser.call('/api/ui/logout-context', { logoutId })).json();
    return String(context['postLogoutRedirectUri']);
  }
  const signOut = (browser: Browser) => browser.post('/api/ui/auth/sign-out', {});
  async function locationOf(answer: Promise<Answer>): Promise<URL> {
    const { status, headers } = await answer;
    expect(status).toBe(303);
    return new URL(headers['location'] ?? '', publicUrl);
  }

  test('redirects to the provider with the ID token of the session, and then to the application [I09]', async () => {
    const signedIn = await signIn();
    const { browser } = signedIn;
    const trip = await askToSignOut(signedIn);
    expect(trip.startsWith(`${publicUrl}/external/sign-out?ticket=`)).toBe(true);
    await signOut(browser);
    const redirect = await locationOf(browser.visit(trip));
    expect(redirect.origin + redirect.pathname).toBe(`${peer.issuer}/end`);
    const { state = '', ...asked } = Object.fromEntries(redirect.searchParams);
    expect(asked).toEqual({
      of: 'all',
      id_token_hint: peer.idToken,
      client_id: peer.clientId,
      post_logout_redirect_uri: `${publicUrl}/external/signed-out`,
    });
    const back = await locationOf(
      browser.visit(`/external/signed-out?${new URLSearchParams({ state }).toString()}`),
    );
    expect(back.href).toBe(`${portalAfterwards}?state=a+b`);
  });

  test('stores the ID token sealed and sends it once, only after the session has ended; later requests contain the client id instead', async () => {
    const signedIn = await signIn();
    const { browser } = signedIn;
    const kept = await application().services.database.selectFrom('external_sessions').selectAll().execute();
    expect(kept.at(-1)?.id_token_sealed).toMatch(/./);
    expect(JSON.stringify(kept)).not.toContain(peer.idToken);
    const trip = await askToSignOut(signedIn);
    const hintOf = async (visitor: Browser) =>
      (await locationOf(visitor.visit(trip))).searchParams.get('id_token_hint');
    expect(await hintOf(application().openBrowser())).toBeNull();
    await signOut(browser);
    expect(await hintOf(browser)).toBe(peer.idToken);
    const again = (await locationOf(browser.visit(trip))).searchParams;
    expect([again.has('id_token_hint'), again.get('client_id')]).toEqual([false, peer.clientId]);
  });

  test('a user who is still signed in goes to the application and stays signed in on both sides', async () => {
    const signedIn = await signIn();
    const trip = await askToSignOut(signedIn);
    expect((await locationOf(signedIn.browser.visit(trip))).href).toBe(`${portalAfterwards}?state=a+b`);
    expect(await alive(signedIn)).toEqual(living);
  });

  test('a sign-out without an application ends on our logged-out page', async () => {
    const { browser } = await signIn();
    await application()
      .services.database.deleteFrom('openid_records')
      .where('model', '=', 'Session')
      .execute();
    const context = (await browser.call('/api/ui/logout-context')).json();
    expect(context['showCancelButton']).toBe(false);
    await signOut(browser);
    const redirect = await locationOf(browser.visit(String(context['postLogoutRedirectUri'])));
    const state = redirect.searchParams.get('state') ?? '';
    const back = await locationOf(
      browser.visit(`/external/signed-out?${new URLSearchParams({ state }).toString()}`),
    );
    expect(back.pathname).toBe('/ui/account/logged-out');
  });

  test.each([
    ['has no place for it', () => void (peer.metadata = {})],
    ['names an address that is none', () => void (peer.metadata = { end_session_endpoint: 'nowhere' })],
    ['cannot be asked', () => void (peer.metadata = { issuer: 'https://elsewhere.example' })],
  ])('redirects to the application if the provider %s', async (_name, change) => {
    const signedIn = await signIn();
    change();
    const trip = await askToSignOut(signedIn);
    await signOut(signedIn.browser);
    // Uses another node, which has not cached the provider's metadata.
    const { services, keys, clock } = application();
    const node = await startApplication(services.database, { keys, clock });
    try {
      const onwards = await locationOf(signedIn.browser.at(node.app).visit(trip));
      expect(onwards.href).toBe(`${portalAfterwards}?state=a+b`);
    } finally {
      await node.close();
    }
  });

  test('a connection without this setting stores no ID token and redirects to the application', async () => {
    await connectCompany(false, 'corp-quiet');
    const signedIn = await signIn();
    expect(await askToSignOut(signedIn)).toBe(`${portalAfterwards}?state=a+b`);
    const rows = application().services.database.selectFrom('external_sessions').select('id_token_sealed');
    expect((await rows.execute()).at(-1)?.id_token_sealed).toBeNull();
  });

  test('a forged, altered or expired ticket leads only to our own pages [S01]', async () => {
    const signedIn = await signIn();
    const trip = await askToSignOut(signedIn);
    await signOut(signedIn.browser);
    const redirect = await locationOf(signedIn.browser.visit(trip));
    const ticket = new URL(trip).searchParams.get('ticket') ?? '';
    const state = redirect.searchParams.get('state') ?? '';
    const visit = async (path: string, query: Record<string, string>) =>
      (await locationOf(signedIn.browser.visit(`${path}?${new URLSearchParams(query).toString()}`))).pathname;
    // A ticket is not valid as a state.
    for (const invalid of ['', 'x', 'https://evil.example/', `${ticket}x`, state])
      expect(await visit('/external/sign-out', { ticket: invalid })).toBe('/ui/home/error');
    for (const invalid of ['', 'x', 'https://evil.example/', `x${state}`, ticket])
      expect(await visit('/external/signed-out', { state: invalid })).toBe('/ui/account/logged-out');
    application().clock.advanceSeconds(60 * 60);
    expect(await visit('/external/sign-out', { ticket })).toBe('/ui/home/error');
    expect(await visit('/external/signed-out', { state })).toBe('/ui/account/logged-out');
    application().clock.advanceSeconds(-60 * 60);
  });
});

describe('back-channel logout by the OpenID provider', () => {
  const path = '/external/back-channel-sign-out';
  const sendNotice = (token: string, { name = 'corp-openid', app = application().app } = {}) =>
    post({ app }, `${path}/${name}`, { logout_token: token });
  const lastReason = () => application().log.findLast((line) => line['event'] === 'session.end')?.['reason'];

  test.each([
    ['of a subject', {}],
    ['of one session', { sub: undefined, sid: 'session-1' }],
    ['of a subject’s session', { sid: 'session-1' }],
  ])('a logout token %s ends the session and its tokens at once', async (_name, claims) => {
    const signedIn = await signIn();
    expect(await alive(signedIn)).toEqual(living);
    const answer = await sendNotice(peer.createLogoutToken({ claims }));
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect(await alive(signedIn)).toEqual(over);
    expect(application().log.findLast((line) => line['event'] === 'session.end')).toMatchObject({
      result: 'success',
      connection: 'corp-openid',
    });
  });

  test('is accepted on every node, and only once of any number of parallel requests', async () => {
    const signedIn = await signIn();
    const { services, keys, clock, app } = application();
    const node = await startApplication(services.database, { keys, clock });
    try {
      const token = peer.createLogoutToken();
      const answers = await Promise.all(
        [node.app, app, node.app, app].map((at) => sendNotice(token, { app: at })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await alive(signedIn)).toEqual(over);
      const again = await signIn();
      expect((await sendNotice(token, { app: node.app })).status).toBe(400);
      expect(await alive(again)).toEqual(living);
    } finally {
      await node.close();
    }
  });

  test('accepts the older token type, and a token that is a minute old', async () => {
    const signedIn = await signIn();
    const now = Math.floor(application().clock.now().getTime() / 1000);
    const token = peer.createLogoutToken({
      header: { typ: undefined },
      claims: { iat: now - 170, exp: now - 50, aud: [peer.clientId] },
    });
    expect((await sendNotice(token)).status).toBe(200);
    expect(await alive(signedIn)).toEqual(over);
  });

  test('accepts a token without an expiry for two minutes', async () => {
    const signedIn = await signIn();
    const now = Math.floor(application().clock.now().getTime() / 1000);
    const token = peer.createLogoutToken({ claims: { iat: now - 110, exp: undefined } });
    expect((await sendNotice(token)).status).toBe(200);
    expect(await alive(signedIn)).toEqual(over);
  });

  test('ends no other session: of another subject, another session id or another provider [S62]', async () => {
    const signedIn = await signIn();
    const rival = await startHostileProvider();
    try {
      await connect(application(), {
        name: 'rival',
        settings: { issuer: rival.issuer, clientId: rival.clientId },
      });
      const answers = [
        await sendNotice(peer.createLogoutToken({ claims: { sub: 'another' } })),
        await sendNotice(peer.createLogoutToken({ claims: { sid: 'another' } })),
        await sendNotice(peer.createLogoutToken({ claims: { sub: 'another', sid: 'session-1' } })),
        await sendNotice(rival.createLogoutToken(), { name: 'rival' }),
      ];
      // Each token is a valid logout of a user without a session and gets the usual response.
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      // A token of one provider is refused at the address of the other.
      expect((await sendNotice(rival.createLogoutToken())).status).toBe(400);
      expect((await sendNotice(peer.createLogoutToken(), { name: 'rival' })).status).toBe(400);
      expect(await alive(signedIn)).toEqual(living);
    } finally {
      await rival.close();
    }
  });

  test('refuses every invalid token with the same response; the audit log has the reason [S53]', async () => {
    const signedIn = await signIn();
    const mismatches: unknown[] = [];
    for (const { name, reason, forge } of logoutTokenAttacks) {
      const answer = await sendNotice(forge(peer));
      const seen = { status: answer.status, text: answer.text, reason: lastReason() };
      const expected = {
        status: 400,
        text: '{"error":"invalid_request"}',
        reason: `logout token: ${reason}`,
      };
      if (JSON.stringify(seen) !== JSON.stringify(expected)) mismatches.push({ name, seen, reason });
    }
    expect(mismatches).toEqual([]);
    expect(peer.asked).not.toContain('/other-keys');
    const good = peer.createLogoutToken();
    const forms: [string, string][] = [
      [`${path}/corp-openid`, ''],
      [`${path}/corp-openid`, `logout_token=${good}&logout_token=${good}`],
      [`${path}/corp-openid`, `Logout_Token=${good}`],
      [`${path}/nobody`, `logout_token=${good}`],
      [`${path}/corp%00openid`, `logout_token=${good}`],
    ];
    for (const [address, form] of forms)
      expect((await post(application(), address, form)).status, form).toBe(400);
    expect(await alive(signedIn)).toEqual(living);
    // Control: a valid token ends the session.
    expect((await sendNotice(good)).status).toBe(200);
    expect(await alive(signedIn)).toEqual(over);
  });

  test('does not end a later session of the browser, and a GET request changes nothing', async () => {
    const signedIn = await signIn();
    expect((await signedIn.browser.visit(`${path}/corp-openid`)).status).toBe(405);
    await application().services.database.updateTable('sessions').set({ connection_id: null }).execute();
    expect((await sendNotice(peer.createLogoutToken())).status).toBe(200);
    expect(await alive(signedIn)).toEqual(living);
  });
});
