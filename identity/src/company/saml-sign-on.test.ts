import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { askUserInfo, readIdToken, redeem } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { attacks } from '../../testing/saml/attacks.ts';
import { decryptionKey } from '../../testing/saml/encrypted-responses.ts';
import { createKeysWithRsa } from '../../testing/saml/keys.ts';
import { connectSaml } from '../../testing/saml/connect.ts';
import { erin, startSamlCompany } from '../../testing/saml/identity-provider.ts';
import type { SamlCompany } from '../../testing/saml/identity-provider.ts';
import { honest } from '../../testing/saml/lab.ts';
import type { Lab } from '../../testing/saml/lab.ts';
import {
  attributes,
  createSigner,
  draftResponse,
  emailFormat,
  freshId,
} from '../../testing/saml/responses.ts';
import { leave, post, readRequest } from '../../testing/saml/sign-on.ts';
import { deleteExpired } from '../store/expired-rows.ts';

const [signer, neighbour, stranger] = ['idp', 'neighbour', 'stranger'].map(createSigner);
const forged = {
  issuer: 'https://idp.corp.example/metadata',
  entryPoint: 'https://idp.corp.example/sso',
  certificates: [signer!.certificate],
  emailAttribute: 'mail',
  firstNameAttribute: 'givenName',
  lastNameAttribute: 'sn',
  nameIdFormat: emailFormat,
  // No start client, so unsolicited responses are refused.
  startClient: 'none',
};
const acsUrl = `${publicUrl}/saml/acs`;
const settings = { LIMIT_ADDRESS_FAILURES: '1000' };

describeStore('SAML sign-on', (store) => {
  const keys = createKeysWithRsa();
  let company: SamlCompany;
  let application: TestApplication;
  let other: TestApplication;

  beforeAll(async () => {
    company = await startSamlCompany();
    application = await startApplication(store().database, { settings, keys });
    const { clock } = application;
    other = await startApplication(store().database, {
      settings: { ...settings, DEMO_DATA: 'false' },
      keys,
      clock,
    });
  });
  afterAll(async () => {
    await Promise.all([application.close(), other.close(), company.close()]);
  });
  beforeEach(async () => {
    const { database, audit } = application.services;
    await audit.flush();
    await database.deleteFrom('audit_events').execute();
    Object.assign(company, { employee: erin, encrypts: false, asked: [], told: [] });
    await database.updateTable('sites').set({ connection_id: null }).execute();
    await database.deleteFrom('connections').execute();
    await database.deleteFrom('limits').execute();
    await database.deleteFrom('used_assertions').execute();
  });

  /** Connects the site with samlify's identity provider. */
  const connectCompany = async (changes: Partial<Parameters<typeof connectSaml>[1]> = {}) => {
    await connectSaml(application, {
      name: 'corp-idp',
      settings: company.settings,
      domains: ['corp.example'],
      sites: ['corp'],
      ...changes,
    });
    company.register((await application.openBrowser().visit('/saml/metadata/corp')).text);
  };
  /** Connects the site with a provider whose private keys are known to the test. */
  const connectForger = (name = 'forged') =>
    connectSaml(application, {
      name,
      settings: forged,
      decryptionKeys: decryptionKey,
      domains: ['corp.example'],
      sites: ['corp'],
    });

  /** Begins a sign-in, and returns its pending request with the data to forge a response. */
  async function openRequest(
    browser: Browser,
    query: Record<string, string> = {},
  ): Promise<Lab & { returnUrl: string; codeVerifier: string }> {
    const { returnUrl, codeVerifier } = await beginSignIn(browser, portal);
    const { id } = readRequest(await leave(browser, returnUrl, query));
    return {
      issuer: forged.issuer,
      entityId: `${publicUrl}/saml/connections/forged`,
      acsUrl,
      requestId: id,
      now: application.clock.now(),
      signer: signer!,
      neighbour: neighbour!,
      stranger: stranger!,
      returnUrl,
      codeVerifier,
    };
  }

  const answerWith = (encoded: string, at = application) => post(at, '/saml/acs', { SAMLResponse: encoded });
  const isTicket = (location = ''): boolean => location.startsWith('/external/continue?ticket=');

  /** Continues with a ticket up to the tokens of the application. */
  async function arrive(browser: Browser, location: string, codeVerifier: string) {
    const { address } = await browser.follow(location);
    expect(address.href).toContain(portal.redirectUri);
    const tokens = await redeem(application, { codeVerifier, code: address.searchParams.get('code') ?? '' });
    return { claims: readIdToken(tokens), accessToken: tokens.json()['access_token'] };
  }
  async function expectNoSession(browser: Browser): Promise<void> {
    expect((await browser.call('/api/ui/sites')).status).toBe(401);
  }
  const lastRefusal = (event = 'external.prove'): Record<string, unknown> | undefined =>
    application.log.findLast((line) => line['event'] === event && line['result'] === 'failure');
  const lastReason = (): unknown => lastRefusal()?.['reason'];

  describe('with samlify’s identity provider', () => {
    test('signs a user in from the portal with a signed request and a signed response [7.13]', async () => {
      await connectCompany();
      const browser = application.openBrowser();
      const started = await beginSignIn(browser, portal);
      const address = await leave(browser, started.returnUrl);
      expect(new URL(address).searchParams.has('RelayState')).toBe(false);
      const form = await company.visit(address);
      expect(form.action).toBe(acsUrl);
      const back = await post(application, '/saml/acs', form.fields);
      expect(back.status).toBe(303);
      expect(back.cookies).toEqual([]);
      const { claims } = await arrive(browser, back.headers['location'] ?? '', started.codeVerifier);
      expect(claims).toMatchObject({ amr: ['fed'], site: 'corp' });
      expect(company.asked).toEqual([{ id: readRequest(address).id, forceAuthentication: false }]);
    });

    test('decrypts assertions once the operator has created a key, and still accepts the previous key after a renewal', async () => {
      await connectCompany();
      const { run } = createCommandLine(store(), application.clock, {}, keys);
      const change = async (to: 'new' | 'none') =>
        expect(await run(`connections update corp-idp --decryption-key ${to}`)).toMatchObject({ code: 0 });
      const readMetadata = async () =>
        company.register((await application.openBrowser().visit('/saml/metadata/corp')).text);
      const signInEncrypted = async () => {
        const browser = application.openBrowser();
        const started = await beginSignIn(browser, portal);
        const form = await company.visit(await leave(browser, started.returnUrl));
        const message = Buffer.from(form.fields['SAMLResponse'] ?? '', 'base64').toString();
        expect(message).toContain('EncryptedAssertion');
        expect(message).not.toContain(erin.mail);
        const back = await post(application, '/saml/acs', form.fields);
        if (!isTicket(back.headers['location'])) return lastReason();
        return (await arrive(browser, back.headers['location'] ?? '', started.codeVerifier)).claims['site'];
      };

      await change('new');
      await readMetadata();
      company.encrypts = true;
      expect(await signInEncrypted()).toBe('corp');
      // The provider still encrypts for the previous key.
      await change('new');
      expect(await signInEncrypted()).toBe('corp');
      await readMetadata();
      expect(await signInEncrypted()).toBe('corp');
      await change('none');
      expect(await signInEncrypted()).toBe('encrypted');
    });

    test('signs a user in with the POST binding: the signed form appears in no URL', async () => {
      await connectCompany({ settings: { ...company.settings, entryPointBinding: 'post' } });
      const browser = application.openBrowser();
      const started = await beginSignIn(browser, portal);
      const address = await leave(browser, started.returnUrl, { forceAuthentication: 'true' });
      const page = await browser.visit(address);
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toContain("form-action http:; base-uri 'none'");
      const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page.text) ?? [];
      const [, request = ''] = /name="SAMLRequest" value="([^"]*)"/.exec(page.text) ?? [];
      expect(Buffer.from(request, 'base64').toString()).toMatch(
        /^<\?xml[^>]*>\s*<samlp:AuthnRequest .*SignatureValue/s,
      );
      const form = await company.visit(action, { SAMLRequest: request });
      expect(company.asked).toMatchObject([{ forceAuthentication: true }]);
      const back = await post(application, '/saml/acs', form.fields);
      const { claims } = await arrive(browser, back.headers['location'] ?? '', started.codeVerifier);
      expect(claims).toMatchObject({ amr: ['fed'], site: 'corp' });
    });

    test('shows the form of a request only in the browser that began it, and only until the response [S14]', async () => {
      await connectCompany({ settings: { ...company.settings, entryPointBinding: 'post' } });
      const browser = application.openBrowser();
      const stranger = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      await beginSignIn(stranger, portal);
      const address = await leave(browser, returnUrl);
      const page = await browser.visit(address);
      const [, request = ''] = /name="SAMLRequest" value="([^"]*)"/.exec(page.text) ?? [];
      const form = await company.visit(company.settings.entryPoint, { SAMLRequest: request });
      await post(application, '/saml/acs', form.fields);
      for (const [visitor, target] of [
        [stranger, address],
        [browser, address],
        [browser, '/saml/request'],
        [browser, '/saml/request?request=a&request=b'],
      ] as const)
        expect((await visitor.visit(target)).headers['location']).toBe('/ui/home/error');
    });

    test('the request contains the NameID format of the connection, or none', async () => {
      await connectCompany();
      const browser = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      expect(readRequest(await leave(browser, returnUrl)).xml).toMatch(
        new RegExp(`<samlp:NameIDPolicy [^>]*Format="${emailFormat}"`),
      );
      const { nameIdFormat: _none, ...settingsWithoutFormat } = company.settings;
      await connectCompany({ name: 'without-format', settings: settingsWithoutFormat });
      expect(readRequest(await leave(browser, returnUrl)).xml).not.toMatch(/Format="/);
    });

    test('requests fresh authentication with ForceAuthn', async () => {
      await connectCompany();
      const browser = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      await company.visit(await leave(browser, returnUrl, { forceAuthentication: 'true' }));
      expect(company.asked).toMatchObject([{ forceAuthentication: true }]);
    });

    test('the metadata contains the entity id, the endpoints and the signing certificate [7.13]', async () => {
      await connectCompany();
      const { text, headers } = await application.openBrowser().visit('/saml/metadata/corp');
      expect(headers['content-type']).toBe('application/xml; charset=utf-8');
      expect(text).toContain(`entityID="${publicUrl}/saml/connections/corp-idp"`);
      expect(text).toContain(`Location="${acsUrl}"`);
      expect(text).toContain(`Location="${publicUrl}/saml/slo/corp-idp"`);
      expect(text).toContain('AuthnRequestsSigned="true"');
      expect(text).toMatch(/<ds:X509Certificate>[A-Za-z0-9+/=]{600,}<\/ds:X509Certificate>/);
    });

    test('a site without SAML and an unknown site get the same response [7.13]', async () => {
      await connectCompany();
      const browser = application.openBrowser();
      const [without, unknown] = [
        await browser.visit('/saml/metadata/harbor'),
        await browser.visit('/saml/metadata/nowhere'),
      ];
      expect(without.status).toBe(404);
      expect(without.text).toBe(unknown.text);
    });

    test('begins a sign-in while the provider is unreachable, because its keys are stored [F09]', async () => {
      await connectCompany({ settings: { ...company.settings, entryPoint: 'http://127.0.0.1:9/sso' } });
      const browser = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      expect(await leave(browser, returnUrl)).toMatch(/^http:\/\/127\.0\.0\.1:9\/sso\?/);
    });
  });

  describe('attacks', () => {
    test('an attack begins no session, is recorded with its reason and shows the generic error page [S44, S45, S47]', async () => {
      // saml/validate-response.test.ts proves that every attack is rejected
      const ofEachReason = [...new Map(attacks.map((attack) => [attack.reason, attack])).values()];
      await connectForger();
      const browser = application.openBrowser();
      const usual = await openRequest(browser);
      const fresh = await openRequest(application.openBrowser(), { forceAuthentication: 'true' });
      const mismatches: unknown[] = [];
      for (const { name, forge, reason, forceAuthentication } of ofEachReason) {
        const answer = await answerWith(forge(forceAuthentication ? fresh : usual));
        const location = answer.headers['location'] ?? '';
        const seen = {
          status: answer.status,
          page: location.split('?')[0],
          cookies: answer.cookies,
          reason: lastReason(),
        };
        const expected = { status: 303, page: '/ui/home/error', cookies: [], reason };
        if (JSON.stringify(seen) !== JSON.stringify(expected)) mismatches.push({ name, seen, reason });
      }
      expect(mismatches).toEqual([]);
      await expectNoSession(browser);
      const shown = await application.services.database
        .selectFrom('error_records')
        .select(['error', 'description', 'data'])
        .distinct()
        .execute();
      expect(shown).toEqual([{ error: 'external_sign_in_failed', description: null, data: {} }]);
      await application.services.audit.flush();
      const { count } = await application.services.database
        .selectFrom('audit_events')
        .select((select) => select.fn.countAll().as('count'))
        .where('event', '=', 'external.prove')
        .where('result', '=', 'failure')
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(ofEachReason.length);
      // Control: the attacked request accepts a valid response.
      const control = await answerWith(honest(usual));
      expect(
        (await arrive(browser, control.headers['location'] ?? '', usual.codeVerifier)).claims,
      ).toMatchObject({ site: 'corp' });
    }, 180_000);

    test.each([
      'unsigned',
      'encrypted',
      'signature_algorithm',
      'status_not_success',
      'unsolicited',
      'message_has_too_many_attributes',
      'message_has_too_many_elements',
      'message_too_large',
    ])('the audit log names the connection of a response refused as %s', async (reason) => {
      await connectForger();
      const trip = await openRequest(application.openBrowser());
      const attack = attacks.find((one) => one.reason === reason);
      await answerWith(attack?.forge(trip) ?? '');
      expect(lastRefusal()).toMatchObject({ reason, connection: 'forged' });
    });

    test('the audit log names no connection if two have the same issuer', async () => {
      await connectForger();
      await connectSaml(application, { name: 'second', settings: forged, domains: ['second.example'] });
      await answerWith(honest({ ...(await openRequest(application.openBrowser())), requestId: '_unknown' }));
      expect(lastRefusal()).toMatchObject({ reason: 'unsolicited' });
      expect(lastRefusal()).not.toHaveProperty('connection');
    });

    test('refuses an address of an unassigned domain with that reason and the page for unknown users', async () => {
      await connectForger();
      const browser = application.openBrowser();
      const trip = await openRequest(browser);
      const draft = { nameId: '<saml:NameID>new-1</saml:NameID>' };
      const told = attributes({ mail: 'someone@unlisted.example' });
      const settingsWithoutFormat = { ...forged, nameIdFormat: undefined };
      await application.services.database
        .updateTable('connections')
        .set({ settings: JSON.stringify(settingsWithoutFormat) })
        .execute();
      const back = await answerWith(honest(trip, { ...draft, attributes: told }));
      const page = new URL(
        (await browser.visit(back.headers['location'] ?? '')).headers['location'] ?? '',
        publicUrl,
      );
      const shown = await browser.call('/api/ui/error-message', {
        errorId: page.searchParams.get('errorId') ?? '',
      });
      expect(shown.json()).toMatchObject({
        error: 'user_login_email_not_found',
        errorData: { 'Email Address': 'someone@unlisted.example' },
      });
      expect(lastRefusal('external.link')).toMatchObject({
        reason: 'the domain of the address is not one of this connection',
        connection: 'forged',
      });
    });

    test('refuses an address of another organisation’s domain [S45]', async () => {
      await connectForger();
      await connectSaml(application, {
        name: 'rival',
        settings: { ...forged, issuer: 'https://rival.example' },
        domains: ['rival.example'],
      });
      const trip = await openRequest(application.openBrowser());
      const answer = await answerWith(
        honest(trip, { attributes: attributes({ mail: 'chair@rival.example' }) }),
      );
      expect(isTicket(answer.headers['location'])).toBe(false);
      expect(lastReason()).toBe('foreign_email_domain');
      expect(isTicket((await answerWith(honest(trip))).headers['location'])).toBe(true);
    });

    test('refuses a response of one organisation’s provider to a request to another organisation’s provider [S44]', async () => {
      await connectForger();
      const trip = await openRequest(application.openBrowser());
      await connectSaml(application, {
        name: 'rival',
        settings: { ...forged, issuer: 'https://rival.example', certificates: [neighbour!.certificate] },
      });
      const forgedByRival = honest({
        ...trip,
        issuer: 'https://rival.example',
        entityId: `${publicUrl}/saml/connections/rival`,
        signer: neighbour!,
      });
      expect(isTicket((await answerWith(forgedByRival)).headers['location'])).toBe(false);
      expect(lastReason()).toBe('signature_invalid');
    });

    test('rejects a form of 10 MB before parsing, and accepts only forms [S47]', async () => {
      const large = await post(application, '/saml/acs', `SAMLResponse=${'A'.repeat(10_000_000)}`);
      expect(large.status).toBe(413);
      const json = await post(application, '/saml/acs', '{}', { 'content-type': 'application/json' });
      expect(json.status).toBe(415);
    });

    test.each([
      ['a response twice', 'SAMLResponse=A&SAMLResponse=B'],
      ['a response and a request', 'SAMLRequest=A&SAMLResponse=B'],
      ['a field that only ends like it', 'xSAMLResponse=A'],
      ['a RelayState without end', `SAMLResponse=A&RelayState=${'x'.repeat(600)}`],
      ['nothing', ''],
    ])('refuses a form with %s [S47]', async (_name, form) => {
      const answer = await post(application, '/saml/acs', form);
      expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=/);
      expect(lastReason()).toBe('parameters');
    });

    test('limits the responses per address, including invalid responses [S47]', async () => {
      const strict = await startApplication(store().database, {
        settings: { LIMIT_ADDRESS_FAILURES: '1', DEMO_DATA: 'false' },
        keys,
        clock: application.clock,
      });
      const reasons: unknown[] = [];
      for (let count = 0; count < 4; count += 1) {
        await answerWith('', strict);
        reasons.push(strict.log.findLast((line) => line['event'] === 'external.prove')?.['reason']);
      }
      await strict.close();
      expect(reasons).toEqual(['message_missing', 'message_missing', 'message_missing', 'too_many_answers']);
    });

    test('ignores RelayState as a redirect target [S01]', async () => {
      await connectForger();
      const trip = await openRequest(application.openBrowser());
      const answer = await post(application, '/saml/acs', {
        SAMLResponse: honest(trip),
        RelayState: 'https://evil.test/',
      });
      expect(isTicket(answer.headers['location'])).toBe(true);
      expect(answer.headers['location']).not.toContain('evil');
    });
  });

  test('an unsolicited response opens the only application with a login address if the connection names none', async () => {
    const { startClient: _none, ...settingsWithoutClient } = forged;
    await connectSaml(application, { name: 'forged', settings: settingsWithoutClient, sites: ['corp'] });
    const tile = honest(await openRequest(application.openBrowser()), { inResponseTo: undefined });
    expect((await answerWith(tile)).headers['location']).toMatch(
      /^http:\/\/localhost:4401\/initiate-sign-in\?iss=/,
    );
  });

  describe('unsolicited responses (a tile of the provider’s portal)', () => {
    const start = 'https://portal.example/begin';
    beforeEach(async () => {
      const { database } = application.services;
      const row = await database
        .selectFrom('clients')
        .selectAll()
        .where('id', '=', portal.clientId)
        .executeTakeFirstOrThrow();
      const metadata = { ...row.metadata, redirect_uris: [start], initiate_login_uri: start };
      await database
        .insertInto('clients')
        .values({
          ...row,
          id: 'tile',
          metadata: JSON.stringify(metadata),
          customizations: JSON.stringify(row.customizations),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
    afterAll(async () => {
      await application.services.database.deleteFrom('clients').where('id', '=', 'tile').execute();
    });
    const connectTile = (more: Partial<Parameters<typeof connectSaml>[1]> = {}) =>
      connectSaml(application, {
        name: 'forged',
        settings: { ...forged, startClient: 'tile' },
        domains: ['corp.example'],
        sites: ['corp'],
        ...more,
      });
    const unsolicited = (issuer = forged.issuer): string =>
      Buffer.from(
        `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Version="2.0" ID="_a"><saml:Issuer>${issuer}</saml:Issuer></samlp:Response>`,
      ).toString('base64');

    test('discards an unsolicited response, and the application begins a sign-in at the connection’s site [S14]', async () => {
      await connectTile();
      const browser = application.openBrowser();
      const trip = await openRequest(browser);
      const tile = honest(trip, { inResponseTo: undefined });
      for (const response of [tile, tile, unsolicited()]) {
        const answer = await answerWith(response);
        expect(answer.headers['location']).toBe(`${start}?iss=${encodeURIComponent(publicUrl)}`);
        expect(answer.cookies).toEqual([expect.stringMatching(/^anteroom_site=corp;/)]);
      }
      await expectNoSession(browser);
      // The response was not consumed: its assertion is still unused, and the pending request is still open.
      const { database } = application.services;
      expect(await database.selectFrom('used_assertions').selectAll().execute()).toEqual([]);
      expect(application.log.findLast((line) => line['event'] === 'external.begin')).toMatchObject({
        result: 'success',
        connection: 'forged',
        details: { begunBy: 'provider' },
      });
      const control = await answerWith(honest(trip));
      await arrive(browser, control.headers['location'] ?? '', trip.codeVerifier);
    });

    test('a forged unsolicited response begins, ends and changes no session [S14]', async () => {
      await connectTile();
      const browser = application.openBrowser();
      const trip = await openRequest(browser);
      const back = await answerWith(honest(trip));
      await arrive(browser, back.headers['location'] ?? '', trip.codeVerifier);
      const before = await application.services.database.selectFrom('sessions').selectAll().execute();
      const answer = await post(application, '/saml/acs', {
        SAMLResponse: unsolicited(),
        RelayState: 'https://evil.test/',
      });
      expect(answer.headers['location']).not.toContain('evil');
      expect(answer.cookies.join()).not.toMatch(/session/i);
      expect(await application.services.database.selectFrom('sessions').selectAll().execute()).toEqual(
        before,
      );
    });

    test.each([
      ['an issuer that no connection has', () => connectTile(), 'https://unknown.example'],
      [
        'an application that is gone',
        () => connectTile({ settings: { ...forged, startClient: 'gone' } }),
        forged.issuer,
      ],
    ])('shows the error page for %s [S01]', async (_name, connect, issuer) => {
      await connect();
      const answer = await answerWith(unsolicited(issuer));
      expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=/);
      expect(answer.cookies).toEqual([]);
      expect(lastReason()).toBe('unsolicited');
    });
  });

  describe('replays', () => {
    test('one of 50 parallel posts of a response on two nodes begins a session [S46]', async () => {
      await connectForger();
      const browser = application.openBrowser();
      const trip = await openRequest(browser);
      const response = honest(trip);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => answerWith(response, index % 2 === 0 ? application : other)),
      );
      const tickets = answers.map(({ headers }) => headers['location'] ?? '').filter(isTicket);
      expect(tickets).toHaveLength(1);
      const { claims } = await arrive(browser, tickets[0] ?? '', trip.codeVerifier);
      expect(claims).toMatchObject({ site: 'corp' });
    });

    test('refuses a replay later, on another node, and after a restart [S46]', async () => {
      await connectForger();
      const browser = application.openBrowser();
      const trip = await openRequest(browser);
      const response = honest(trip);
      const first = await answerWith(response, other);
      await arrive(browser, first.headers['location'] ?? '', trip.codeVerifier);
      const restarted = await startApplication(store().database, {
        settings: { ...settings, DEMO_DATA: 'false' },
        keys,
        clock: application.clock,
      });
      for (const node of [application, other, restarted])
        expect(isTicket((await answerWith(response, node)).headers['location'])).toBe(false);
      await restarted.close();
    });

    test('accepts an assertion once, also in a response to another request [S46]', async () => {
      await connectForger();
      const [first, second] = [
        await openRequest(application.openBrowser()),
        await openRequest(application.openBrowser()),
      ];
      const assertionId = freshId();
      expect(isTicket((await answerWith(honest(first, { assertionId }))).headers['location'])).toBe(true);
      expect(isTicket((await answerWith(honest(second, { assertionId }))).headers['location'])).toBe(false);
      expect(lastReason()).toBe('replayed');
      // The other request is still open, because the replayed assertion did not consume it.
      expect(isTicket((await answerWith(honest(second))).headers['location'])).toBe(true);
    });

    test('remembers a used assertion until its expiry plus the clock skew [S46]', async () => {
      await connectForger();
      const trip = await openRequest(application.openBrowser());
      const { assertionId } = draftResponse(trip);
      const { database } = application.services;
      await answerWith(honest(trip, { assertionId }));
      const rows = await database.selectFrom('used_assertions').select('expires_at').execute();
      expect(rows).toEqual([{ expires_at: new Date(trip.now.getTime() + 6 * 60_000) }]);
    });

    test('refuses a response in another browser, and accepts a ticket once [S14, S46]', async () => {
      await connectForger();
      const [victim, attacker] = [application.openBrowser(), application.openBrowser()];
      await victim.call('/api/ui/logout-context');
      const trip = await openRequest(attacker);
      const ticket = (await answerWith(honest(trip))).headers['location'] ?? '';
      expect((await victim.visit(ticket)).headers['location']).toMatch(/^\/ui\/home\/error\?errorId=/);
      await expectNoSession(victim);
      await arrive(attacker, ticket, trip.codeVerifier);
      expect((await attacker.visit(ticket)).headers['location']).toMatch(/^\/ui\/home\/error\?errorId=/);
    });

    test('handles each step of a sign-in on any node [S46]', async () => {
      await connectForger();
      const browser = application.openBrowser();
      const trip = await openRequest(browser.at(other.app));
      const back = await answerWith(honest(trip), application);
      await arrive(browser.at(other.app), back.headers['location'] ?? '', trip.codeVerifier);
      expect((await browser.call('/api/ui/sites', { returnUrl: trip.returnUrl })).status).toBe(200);
    });

    test('deletes used ids only after the messages would be refused as expired [S46]', async () => {
      await connectForger();
      const { services, clock } = application;
      await answerWith(honest(await openRequest(application.openBrowser())));
      clock.advanceSeconds(6 * 60 - 1);
      expect(await deleteExpired(services.database, 'used_assertions', clock.now())).toBe(0);
      clock.advanceSeconds(1);
      expect(await deleteExpired(services.database, 'used_assertions', clock.now())).toBe(1);
    });

    test('refuses the response if the connection has been disabled', async () => {
      const id = await connectForger();
      const trip = await openRequest(application.openBrowser());
      const { database } = application.services;
      await database
        .updateTable('connections')
        .set({ disabled_at: application.clock.now() })
        .where('id', '=', id)
        .execute();
      expect(isTicket((await answerWith(honest(trip))).headers['location'])).toBe(false);
      expect(lastReason()).toBe('connection_gone');
    });

    test('refuses the response after ten minutes', async () => {
      await connectForger();
      const trip = await openRequest(application.openBrowser());
      application.clock.advanceSeconds(600);
      expect(
        isTicket((await answerWith(honest({ ...trip, now: application.clock.now() }))).headers['location']),
      ).toBe(false);
      expect(lastReason()).toBe('unsolicited');
    });
  });

  test('the tokens of a session from a provider contain its user', async () => {
    await connectForger();
    const browser = application.openBrowser();
    const trip = await openRequest(browser);
    const back = await answerWith(honest(trip));
    const { accessToken } = await arrive(browser, back.headers['location'] ?? '', trip.codeVerifier);
    const { claims } = await askUserInfo(application, accessToken);
    expect(claims).toMatchObject({ email: 'employee@corp.example' });
  });
});
