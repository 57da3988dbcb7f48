import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { askUserInfo, redeem } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { connectSaml } from '../../testing/saml/connect.ts';
import { createKeysWithRsa } from '../../testing/saml/keys.ts';
import { erin, startSamlCompany } from '../../testing/saml/identity-provider.ts';
import type { SamlCompany } from '../../testing/saml/identity-provider.ts';
import { honest } from '../../testing/saml/lab.ts';
import { logoutAttacks, logoutXml, posted, redirected } from '../../testing/saml/logout-attacks.ts';
import type { LogoutLab } from '../../testing/saml/logout-attacks.ts';
import { createSigner, emailFormat } from '../../testing/saml/responses.ts';
import { leave, post, readRequest } from '../../testing/saml/sign-on.ts';

const [signer, neighbour] = ['idp', 'neighbour'].map(createSigner);
const slo = '/saml/slo/corp-idp';

describeStore('SAML single logout', (store) => {
  let company: SamlCompany;
  let application: TestApplication;

  beforeAll(async () => {
    company = await startSamlCompany();
    application = await startApplication(store().database, {
      settings: { LIMIT_ADDRESS_FAILURES: '1000' },
      keys: createKeysWithRsa(),
    });
  });
  afterAll(async () => {
    await Promise.all([application.close(), company.close()]);
  });
  beforeEach(async () => {
    const { database } = application.services;
    Object.assign(company, { employee: erin, asked: [], told: [], sessionIndex: 'session-1' });
    await database.updateTable('sites').set({ connection_id: null }).execute();
    await database.deleteFrom('connections').execute();
    await database.deleteFrom('limits').execute();
  });

  async function connectCompany(): Promise<void> {
    await connectSaml(application, {
      name: 'corp-idp',
      settings: company.settings,
      domains: ['corp.example'],
      sites: ['corp'],
    });
    company.register((await application.openBrowser().visit('/saml/metadata/corp')).text);
  }
  /** Connects a provider whose private keys are known to the test. */
  async function connectForger({ wantsLogouts = true } = {}): Promise<LogoutLab> {
    await connectSaml(application, {
      name: 'corp-idp',
      settings: {
        issuer: 'https://idp.corp.example/metadata',
        entryPoint: 'https://idp.corp.example/sso',
        ...(wantsLogouts && { logoutUrl: 'https://idp.corp.example/slo' }),
        certificates: [signer!.certificate],
        nameIdFormat: emailFormat,
      },
      domains: ['corp.example'],
      sites: ['corp'],
    });
    return {
      issuer: 'https://idp.corp.example/metadata',
      entityId: `${publicUrl}/saml/connections/corp-idp`,
      destination: `${publicUrl}${slo}`,
      now: application.clock.now(),
      subject: 'employee@corp.example',
      sessionIndex: 'session-1',
      signer: signer!,
      neighbour: neighbour!,
    };
  }

  /** Signs a browser in at the provider, and returns the application's tokens. */
  async function signInBy(answer: (address: string, browser: Browser) => Promise<Answer>) {
    const browser = application.openBrowser();
    const { returnUrl, codeVerifier } = await beginSignIn(browser, portal);
    const back = await answer(await leave(browser, returnUrl), browser);
    const { address } = await browser.follow(back.headers['location'] ?? '');
    const tokens = await redeem(application, { codeVerifier, code: address.searchParams.get('code') ?? '' });
    return { browser, returnUrl, accessToken: tokens.json()['access_token'] };
  }
  const signInAtCompany = () =>
    signInBy(async (address) => post(application, '/saml/acs', (await company.visit(address)).fields));
  const signInByForger = (lab: LogoutLab, qualifiers: Record<string, string> = {}) =>
    signInBy((address) => {
      const response = honest({
        ...lab,
        qualifiers,
        acsUrl: `${publicUrl}/saml/acs`,
        requestId: readRequest(address).id,
        stranger: neighbour!,
      });
      return post(application, '/saml/acs', { SAMLResponse: response });
    });

  /** Whether the session of the browser and the access token of the application are valid. */
  async function alive({ browser, accessToken, returnUrl }: Awaited<ReturnType<typeof signInBy>>) {
    return {
      session: (await browser.call('/api/ui/sites', { returnUrl })).status === 200,
      token: (await askUserInfo(application, accessToken)).status === 200,
    };
  }
  const living = { session: true, token: true };
  const over = { session: false, token: false };

  const visitUnknown = (query: string): Promise<Answer> => application.openBrowser().visit(`${slo}?${query}`);

  test('a logout request of samlify’s provider ends session and tokens at once, and gets a signed response', async () => {
    await connectCompany();
    const signedIn = await signInAtCompany();
    expect(await alive(signedIn)).toEqual(living);
    const answer = await application.openBrowser().visit(company.logoutAddress());
    expect(answer.status).toBe(303);
    expect(await alive(signedIn)).toEqual(over);
    await company.bring(answer.headers['location'] ?? '');
    expect(company.told).toEqual([{ kind: 'response' }]);
  });

  test('our sign-out sends a signed logout request to samlify’s provider in the frame of the logged-out page', async () => {
    await connectCompany();
    const { browser } = await signInAtCompany();
    const context = (await browser.call('/api/ui/logout-context')).json();
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    const frame = await browser.visit(String(context['signOutIFrameUrl']));
    const address = /<iframe src="([^"]*\/slo\?[^"]*)"/.exec(frame.text)?.[1]?.replaceAll('&amp;', '&');
    expect(frame.headers['content-security-policy']).toContain(new URL(company.settings.entryPoint).origin);
    // The logout request identifies a user, so the frame's URL contains its data encrypted.
    expect(
      Buffer.from(String(context['signOutIFrameUrl']).split('ticket=')[1] ?? '', 'base64url').toString(),
    ).not.toContain('employee');
    await company.bring(address ?? '');
    expect(company.told).toEqual([{ kind: 'request', nameId: 'employee@corp.example' }]);
  });

  test.each([[[]], [['NameQualifier']], [['SPNameQualifier']], [['NameQualifier', 'SPNameQualifier']]])(
    'our logout request identifies the user as the provider did, with exactly the qualifiers %j',
    async (names) => {
      const lab = await connectForger();
      const values: Record<string, string> = { NameQualifier: lab.issuer, SPNameQualifier: lab.entityId };
      const qualifiers = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
      const { browser } = await signInByForger(lab, qualifiers);
      const { signOutIFrameUrl } = (await browser.call('/api/ui/logout-context')).json();
      expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
      const { text } = await browser.visit(String(signOutIFrameUrl));
      const [, encoded = ''] = /[?&;]SAMLRequest=([^"&]*)/.exec(text) ?? [];
      const request = inflateRawSync(Buffer.from(decodeURIComponent(encoded), 'base64')).toString();
      const [, given = ''] = /<saml:NameID([^>]*)>/.exec(request) ?? [];
      expect(
        Object.fromEntries(
          [...given.matchAll(/(\w*Qualifier)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
        ),
      ).toEqual(qualifiers);
    },
  );

  test('sends no logout request to a provider without a logout URL', async () => {
    const lab = await connectForger({ wantsLogouts: false });
    const { browser } = await signInByForger(lab);
    const { signOutIFrameUrl } = (await browser.call('/api/ui/logout-context')).json();
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    const frame = await browser.visit(String(signOutIFrameUrl));
    expect(frame.status).toBe(200);
    expect(frame.text).not.toContain('SAMLRequest');
  });

  test('sends no logout request while our session is active, even if oidc-provider’s session has ended [S14]', async () => {
    const { browser } = await signInByForger(await connectForger());
    const { signOutIFrameUrl } = (await browser.call('/api/ui/logout-context')).json();
    await application.services.database.deleteFrom('openid_records').where('model', '=', 'Session').execute();
    const look = async () => (await browser.visit(String(signOutIFrameUrl))).text;
    expect(await look()).not.toContain('SAMLRequest');
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    expect(await look()).toContain('SAMLRequest');
  });

  test('the response to our own logout request changes nothing', async () => {
    const lab = await connectForger();
    const signedIn = await signInByForger(lab);
    expect((await visitUnknown('SAMLResponse=AAAA')).status).toBe(204);
    expect((await post(application, slo, { SAMLResponse: 'AAAA' })).status).toBe(204);
    expect(await alive(signedIn)).toEqual(living);
  });

  test.each([
    [
      'an address',
      (lab: LogoutLab) => visitUnknown(redirected(logoutXml(lab), lab.signer, { relayState: 'a b&c' })),
    ],
    [
      'an address with what the provider adds',
      (lab: LogoutLab) =>
        visitUnknown(
          `${redirected(logoutXml(lab), lab.signer, { relayState: 'a b&c' })}&client-request-id=1`,
        ),
    ],
    ['a form', (lab: LogoutLab) => post(application, slo, { SAMLRequest: posted(lab), RelayState: 'a b&c' })],
  ])(
    'a logout request by %s ends the session; the response goes to the configured URL with the unchanged RelayState',
    async (_name, bring) => {
      const lab = await connectForger();
      const signedIn = await signInByForger(lab);
      const answer = await bring({ ...lab, now: application.clock.now() });
      const location = new URL(answer.headers['location'] ?? '');
      expect(location.origin + location.pathname).toBe('https://idp.corp.example/slo');
      expect(location.searchParams.get('RelayState')).toBe('a b&c');
      expect(location.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
      expect(await alive(signedIn)).toEqual(over);
      expect(application.log.findLast((line) => line['event'] === 'session.end')).toMatchObject({
        result: 'success',
        connection: 'corp-idp',
      });
    },
  );

  test('ends only the named session; without a session index, all sessions of the user from that provider', async () => {
    const lab = await connectForger();
    const [first, second] = [
      await signInByForger(lab),
      await signInByForger({ ...lab, sessionIndex: 'session-2' }),
    ];
    await visitUnknown(redirected(logoutXml(lab), lab.signer));
    expect([await alive(first), await alive(second)]).toEqual([over, living]);
    const third = await signInByForger({ ...lab, sessionIndex: 'session-3' });
    await visitUnknown(redirected(logoutXml(lab, { sessionIndex: '' }), lab.signer));
    expect([await alive(second), await alive(third)]).toEqual([over, over]);
  });

  test('ends no other session: of another NameID, another session index, or another organisation’s provider [S48]', async () => {
    const lab = await connectForger();
    const signedIn = await signInByForger(lab);
    await connectSaml(application, {
      name: 'rival',
      settings: {
        issuer: 'https://rival.example',
        entryPoint: 'https://rival.example/sso',
        certificates: [neighbour!.certificate],
      },
    });
    const rival = {
      ...lab,
      issuer: 'https://rival.example',
      destination: `${publicUrl}/saml/slo/rival`,
      signer: neighbour!,
    };
    const answers = [
      await visitUnknown(redirected(logoutXml({ ...lab, subject: 'chair@corp.example' }), lab.signer)),
      await visitUnknown(redirected(logoutXml({ ...lab, sessionIndex: 'another' }), lab.signer)),
      await application.openBrowser().visit(`/saml/slo/rival?${redirected(logoutXml(rival), rival.signer)}`),
    ];
    // Each request is valid, for a user without a session, and gets the usual response.
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 204]);
    expect(await alive(signedIn)).toEqual(living);
  });

  test('no attack ends a session; each is recorded with its reason and redirects to our own sign-out [S48]', async () => {
    const lab = await connectForger();
    const signedIn = await signInByForger(lab);
    const mismatches: unknown[] = [];
    for (const { name, reason, forge } of logoutAttacks) {
      const message = forge(lab);
      const answer =
        'query' in message
          ? await visitUnknown(message.query)
          : await post(application, slo, { SAMLRequest: message.field });
      const noted = application.log.findLast((line) => line['event'] === 'session.end')?.['reason'];
      const seen = { status: answer.status, page: answer.headers['location']?.split('?')[0], reason: noted };
      const expected = { status: 303, page: '/connect/session/end', reason };
      if (JSON.stringify(seen) !== JSON.stringify(expected)) mismatches.push({ name, seen, reason });
    }
    expect(mismatches).toEqual([]);
    expect(await alive(signedIn)).toEqual(living);
    // The visitor wanted to sign out, so the redirect goes to the confirmation page.
    const asked = await signedIn.browser.visit('/connect/session/end');
    expect(asked.headers['location']).toMatch(/^\/ui\/account\/logout/);
    expect(await alive(signedIn)).toEqual(living);
    // Control: a valid request ends the session.
    expect((await visitUnknown(redirected(logoutXml(lab), lab.signer))).status).toBe(303);
    expect(await alive(signedIn)).toEqual(over);
  }, 60_000);

  test('accepts a logout request once across both bindings [S48]', async () => {
    const lab = await connectForger();
    await signInByForger(lab);
    const id = '_one-sign-out';
    const query = redirected(logoutXml(lab, { id }), lab.signer);
    const answers = await Promise.all(Array.from({ length: 4 }, () => visitUnknown(query)));
    expect(
      answers.filter(({ headers }) => headers['location']?.startsWith('https://idp.corp.example/')),
    ).toHaveLength(1);
    const again = await signInByForger(lab);
    await visitUnknown(query);
    await post(application, slo, { SAMLRequest: posted(lab, { id }) });
    expect(await alive(again)).toEqual(living);
  });

  test('keeps a later session of the browser that began without the provider', async () => {
    const lab = await connectForger();
    const signedIn = await signInByForger(lab);
    await application.services.database.updateTable('sessions').set({ connection_id: null }).execute();
    await visitUnknown(redirected(logoutXml(lab), lab.signer));
    expect(await alive(signedIn)).toEqual(living);
  });
});
