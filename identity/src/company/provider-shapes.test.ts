import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { startHostileProvider } from '../../testing/company/hostile-provider.ts';
import type { HostileProvider } from '../../testing/company/hostile-provider.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createKeysWithRsa } from '../../testing/saml/keys.ts';
import { createSigner, encode, freshId, sign, timeIn } from '../../testing/saml/responses.ts';
import { leave, post, readRequest } from '../../testing/saml/sign-on.ts';

// Tests with messages in the formats of providers that cannot run here. The messages follow the providers'
// documentation. Each test connects the provider with the command of its guide and signs a new user in. The formats
// differ in XML prefixes, signed elements, attribute names and additional metadata.

const newcomer = { email: 'nadia.khoury@corp.example', firstName: 'Nadia', lastName: 'Khoury' };
const signer = createSigner('provider');
const certificate = signer.certificate.replaceAll(/-----[^-]+-----|\s/g, '');
const keyInfo = `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo>`;
const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings';
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

type Facts = { entityId: string; acsUrl: string; requestId: string; now: Date };
type Shape = { metadata: string; respond: (facts: Facts) => string };

/** Microsoft: the assertion is signed and uses the default namespace. */
function microsoftResponse(
  { entityId, acsUrl, requestId, now }: Facts,
  given: { issuer: string; nameIdFormat: string; nameId: string; consent?: string; more?: string },
): string {
  const attribute = (name: string, value: string) =>
    `<Attribute Name="${name}"><AttributeValue>${value}</AttributeValue></Attribute>`;
  const assertionId = freshId();
  const unsigned = `<samlp:Response ID="${freshId()}" Version="2.0" IssueInstant="${timeIn(now, 0)}" Destination="${acsUrl}"${given.consent ?? ''} InResponseTo="${requestId}" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">${given.issuer}</Issuer><samlp:Status><samlp:StatusCode Value="${success}"/></samlp:Status><Assertion ID="${assertionId}" IssueInstant="${timeIn(now, 0)}" Version="2.0" xmlns="urn:oasis:names:tc:SAML:2.0:assertion"><Issuer>${given.issuer}</Issuer><Subject><NameID Format="${given.nameIdFormat}">${given.nameId}</NameID><SubjectConfirmation Method="${bearer}"><SubjectConfirmationData InResponseTo="${requestId}" NotOnOrAfter="${timeIn(now, 60)}" Recipient="${acsUrl}"/></SubjectConfirmation></Subject><Conditions NotBefore="${timeIn(now, -5)}" NotOnOrAfter="${timeIn(now, 60)}"><AudienceRestriction><Audience>${entityId}</Audience></AudienceRestriction></Conditions><AttributeStatement>${given.more ?? ''}${attribute(`${claims}/emailaddress`, newcomer.email)}${attribute(`${claims}/givenname`, newcomer.firstName)}${attribute(`${claims}/surname`, newcomer.lastName)}</AttributeStatement><AuthnStatement AuthnInstant="${timeIn(now, -1)}" SessionIndex="${assertionId}"><AuthnContext><AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</AuthnContextClassRef></AuthnContext></AuthnStatement></Assertion></samlp:Response>`;
  return sign(unsigned, signer);
}

/** Okta and Google: other prefixes, typed attribute values, and an XML declaration. */
function prefixedResponse(
  { entityId, acsUrl, requestId, now }: Facts,
  given: { issuer: string; attributes: Record<string, string>; type: string; context: string },
): string {
  const attributes = Object.entries(given.attributes)
    .map(
      ([name, value]) =>
        `<saml2:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified"><saml2:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="${given.type}">${value}</saml2:AttributeValue></saml2:Attribute>`,
    )
    .join('');
  return `<?xml version="1.0" encoding="UTF-8"?><saml2p:Response Destination="${acsUrl}" ID="${freshId()}" InResponseTo="${requestId}" IssueInstant="${timeIn(now, 0)}" Version="2.0" xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol"><saml2:Issuer Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity" xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">${given.issuer}</saml2:Issuer><saml2p:Status><saml2p:StatusCode Value="${success}"/></saml2p:Status><saml2:Assertion ID="${freshId()}" IssueInstant="${timeIn(now, 0)}" Version="2.0" xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion"><saml2:Issuer Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity">${given.issuer}</saml2:Issuer><saml2:Subject><saml2:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">00u1nadia</saml2:NameID><saml2:SubjectConfirmation Method="${bearer}"><saml2:SubjectConfirmationData InResponseTo="${requestId}" NotOnOrAfter="${timeIn(now, 5)}" Recipient="${acsUrl}"/></saml2:SubjectConfirmation></saml2:Subject><saml2:Conditions NotBefore="${timeIn(now, -5)}" NotOnOrAfter="${timeIn(now, 5)}"><saml2:AudienceRestriction><saml2:Audience>${entityId}</saml2:Audience></saml2:AudienceRestriction></saml2:Conditions><saml2:AuthnStatement AuthnInstant="${timeIn(now, 0)}" SessionIndex="${requestId}"><saml2:AuthnContext><saml2:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:${given.context}</saml2:AuthnContextClassRef></saml2:AuthnContext></saml2:AuthnStatement><saml2:AttributeStatement>${attributes}</saml2:AttributeStatement></saml2:Assertion></saml2p:Response>`;
}

const federationRoles = `<RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" xsi:type="fed:SecurityTokenServiceType" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706"><KeyDescriptor use="signing">${keyInfo}</KeyDescriptor></RoleDescriptor>`;
const endpoint = (prefix: string, name: string, binding: string, location: string) =>
  `<${prefix}${name} Binding="${bindings}:${binding}" Location="${location}"/>`;

const named = { email: newcomer.email, firstName: newcomer.firstName, lastName: newcomer.lastName };
const tenant = 'https://sts.windows.net/8b1c6d2e-0f3a-4b57-9c44-2f7a51a0e9d1/';
const adfs = 'http://sts.corp.example/adfs/services/trust';
const okta = 'http://www.okta.com/exk1fcia6d6EMsf331d8';
const google = 'https://accounts.google.com/o/saml2?idpid=C03az79cb';

const shapes: Record<'entra' | 'okta' | 'google' | 'adfs', Shape> = {
  entra: {
    metadata: `<?xml version="1.0" encoding="utf-8"?><EntityDescriptor ID="_5f2c" entityID="${tenant}" xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${federationRoles}<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">${keyInfo}</KeyDescriptor>${endpoint('', 'SingleLogoutService', 'HTTP-Redirect', 'https://login.microsoftonline.com/t/saml2')}${endpoint('', 'SingleSignOnService', 'HTTP-Redirect', 'https://login.microsoftonline.com/t/saml2')}${endpoint('', 'SingleSignOnService', 'HTTP-POST', 'https://login.microsoftonline.com/t/saml2')}</IDPSSODescriptor></EntityDescriptor>`,
    respond: (facts) =>
      microsoftResponse(facts, {
        issuer: tenant,
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        nameId: 'aGVsbG8tbmFkaWE=',
        more: `<Attribute Name="http://schemas.microsoft.com/identity/claims/tenantid"><AttributeValue>8b1c6d2e</AttributeValue></Attribute><Attribute Name="http://schemas.microsoft.com/claims/authnmethodsreferences"><AttributeValue>http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod/password</AttributeValue><AttributeValue>http://schemas.microsoft.com/claims/multipleauthn</AttributeValue></Attribute>`,
      }),
  },
  adfs: {
    metadata: `<EntityDescriptor ID="_9a1" entityID="${adfs}" xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${federationRoles}<SPSSODescriptor WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="encryption">${keyInfo}</KeyDescriptor>${endpoint('', 'AssertionConsumerService', 'HTTP-POST', 'https://sts.corp.example/adfs/ls/').replace('/>', ' index="0"/>')}</SPSSODescriptor><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="encryption">${keyInfo}</KeyDescriptor><KeyDescriptor use="signing">${keyInfo}</KeyDescriptor>${endpoint('', 'SingleLogoutService', 'HTTP-Redirect', 'https://sts.corp.example/adfs/ls/')}<NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>${endpoint('', 'SingleSignOnService', 'HTTP-Redirect', 'https://sts.corp.example/adfs/ls/')}${endpoint('', 'SingleSignOnService', 'HTTP-POST', 'https://sts.corp.example/adfs/ls/')}</IDPSSODescriptor></EntityDescriptor>`,
    respond: (facts) =>
      microsoftResponse(facts, {
        issuer: adfs,
        nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
        nameId: newcomer.email,
        consent: ' Consent="urn:oasis:names:tc:SAML:2.0:consent:unspecified"',
      }),
  },
  okta: {
    metadata: `<?xml version="1.0" encoding="UTF-8"?><md:EntityDescriptor entityID="${okta}" xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"><md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing">${keyInfo}</md:KeyDescriptor><md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>${endpoint('md:', 'SingleSignOnService', 'HTTP-POST', 'https://corp.okta.com/app/sso/saml')}${endpoint('md:', 'SingleSignOnService', 'HTTP-Redirect', 'https://corp.okta.com/app/sso/saml')}</md:IDPSSODescriptor></md:EntityDescriptor>`,
    respond: (facts) =>
      sign(
        sign(
          prefixedResponse(facts, {
            issuer: okta,
            attributes: named,
            type: 'xs:string',
            context: 'PasswordProtectedTransport',
          }),
          signer,
        ),
        signer,
        { what: 'Response' },
      ),
  },
  google: {
    metadata: `<?xml version="1.0" encoding="UTF-8" standalone="no"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${google}" validUntil="2036-11-22T09:00:00.000Z"><md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing">${keyInfo}</md:KeyDescriptor><md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>${endpoint('md:', 'SingleSignOnService', 'HTTP-Redirect', 'https://accounts.google.com/o/saml2/idp?idpid=C03az79cb')}${endpoint('md:', 'SingleSignOnService', 'HTTP-POST', 'https://accounts.google.com/o/saml2/idp?idpid=C03az79cb')}</md:IDPSSODescriptor></md:EntityDescriptor>`,
    respond: (facts) =>
      sign(
        prefixedResponse(facts, {
          issuer: google,
          attributes: named,
          type: 'xs:anyType',
          context: 'unspecified',
        }),
        signer,
        { what: 'Response' },
      ),
  },
};

let store: TestDatabase;
let application: TestApplication;
let run: ReturnType<typeof createCommandLine>['run'];
let folder: string;

beforeAll(async () => {
  store = await openTestDatabase();
  const keys = createKeysWithRsa();
  application = await startApplication(store.database, {
    settings: { LIMIT_ADDRESS_FAILURES: '1000' },
    keys,
  });
  ({ run } = createCommandLine(store, application.clock, { PUBLIC_URL: publicUrl }, keys));
  folder = mkdtempSync(join(tmpdir(), 'anteroom-shapes-'));
});
afterAll(async () => {
  await application.close();
  await store.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  const { database } = store;
  await database.deleteFrom('users').where('email', '=', newcomer.email).execute();
  await database.updateTable('sites').set({ connection_id: null }).execute();
  await database.deleteFrom('connections').execute();
});

/** Runs the command of a guide with values for its placeholders. */
async function connectAsGuided(
  preset: string,
  kind: 'saml' | 'openid',
  places: readonly [RegExp, string][],
  secret?: string,
): Promise<void> {
  const guide = (await run(`connections guide corp ${preset} --kind ${kind} --json`)).json();
  const written = String(guide.find(({ what }) => what === 'connect')?.['value']);
  const common: readonly [RegExp, string][] = [
    [/<company>/, 'Corp'],
    [/<domains of the company>/, 'corp.example'],
    [/<sites>/, 'corp'],
  ];
  const command = [...places, ...common].reduce(
    (text, [place, value]) => text.replace(place, value),
    written,
  );
  const words = `${command.replace('npx anteroom ', '')} --just-in-time`.split(' ');
  expect(await run(words, secret)).toMatchObject({ code: 0, errors: '' });
}

/** Returns whether the browser is signed in, and the user. */
async function findNewcomer(browser: Browser, returnUrl: string) {
  const { status } = await browser.call('/api/ui/sites', { returnUrl });
  const user = await store.database
    .selectFrom('users')
    .select(['email', 'first_name as firstName', 'last_name as lastName'])
    .where('email', '=', newcomer.email)
    .executeTakeFirst();
  return { isSignedIn: status === 200, user };
}

test.each(['entra', 'okta', 'google', 'adfs'] as const)(
  'a SAML response in the format of %s signs a new user in, with the settings of its guide and its metadata',
  async (preset) => {
    const file = join(folder, `${preset}.xml`);
    writeFileSync(file, shapes[preset].metadata);
    await connectAsGuided(preset, 'saml', [
      [/--metadata (?:"[^"]*"|<[^>]*>|https:.*?\.xml)/, `--metadata ${file}`],
    ]);
    const browser = application.openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const { id } = readRequest(await leave(browser, returnUrl));
    const response = shapes[preset].respond({
      entityId: `${publicUrl}/saml/connections/corp`,
      acsUrl: `${publicUrl}/saml/acs`,
      requestId: id,
      now: application.clock.now(),
    });
    const answer = await post(application, '/saml/acs', { SAMLResponse: encode(response) });
    await browser.follow(answer.headers['location'] ?? '');
    expect(await findNewcomer(browser, returnUrl)).toEqual({ isSignedIn: true, user: newcomer });
  },
);

describe('an ID token', () => {
  let peer: HostileProvider;
  beforeAll(async () => {
    peer = await startHostileProvider();
  });
  afterAll(() => peer.close());

  const none = { email: undefined, email_verified: undefined, given_name: undefined, family_name: undefined };
  test.each([
    [
      'entra',
      {
        ...none,
        ver: '2.0',
        tid: '8b1c6d2e-0f3a-4b57-9c44-2f7a51a0e9d1',
        oid: '5d1c3a77-6c0e-4a58-8f6e-0d2f3b9a1c44',
        name: 'Nadia Khoury',
        preferred_username: newcomer.email,
        rh: '0.AX0A',
        uti: 'uti',
      },
    ],
    [
      'okta',
      {
        ver: 1,
        amr: ['pwd', 'mfa'],
        idp: '00o1idp',
        name: 'Nadia Khoury',
        given_name: 'Nadia',
        family_name: 'Khoury',
        email: newcomer.email,
        email_verified: true,
        preferred_username: newcomer.email,
      },
    ],
    [
      'google',
      {
        azp: 'anteroom',
        hd: 'corp.example',
        picture: 'https://lh3.example/a',
        name: 'Nadia Khoury',
        given_name: 'Nadia',
        family_name: 'Khoury',
        email: newcomer.email,
        email_verified: true,
      },
    ],
  ] as const)(
    'in the format of %s signs a new user in, with the settings of its guide',
    async (preset, given) => {
      await connectAsGuided(
        preset,
        'openid',
        [
          [/--issuer https:.*? --client-id/, `--issuer ${peer.issuer} --client-id`],
          [/<(?:Application \(client\)|Client) ID>/, peer.clientId],
        ],
        'a-secret~of.the-provider\n',
      );
      const browser = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      const query = new URLSearchParams({ site: 'corp', returnUrl });
      const left = await browser.visit(`/api/ui/auth/external/redirect?${query.toString()}`);
      const asked = new URL(left.headers['location'] ?? '').searchParams;
      Object.assign(peer, { nonce: asked.get('nonce') ?? '', recipe: { claims: given }, userInfo: {} });
      const answer = { code: 'code', state: asked.get('state') ?? '', iss: peer.issuer };
      await browser.follow(`/external/callback?${new URLSearchParams(answer).toString()}`);
      expect(await findNewcomer(browser, returnUrl)).toEqual({ isSignedIn: true, user: newcomer });
    },
  );
});
