import { expect, test } from 'vitest';
import { attacks } from '../../../testing/saml/attacks.ts';
import { decryptionKey, encryptedXml, previousKey } from '../../../testing/saml/encrypted-responses.ts';
import { honest, honestXml, replaced } from '../../../testing/saml/lab.ts';
import type { Lab } from '../../../testing/saml/lab.ts';
import {
  algorithms,
  attributes,
  createSigner,
  draftResponse,
  emailFormat,
  encode,
  freshId,
  renderResponse,
  sign,
  timeIn,
} from '../../../testing/saml/responses.ts';
import type { SamlConnection } from '../connection.ts';
import { SamlRefusal } from './refusal.ts';
import { describeServiceProvider } from './service-provider.ts';
import { parseResponse, readResponse, validateResponse } from './validate-response.ts';
import type { ValidResponse } from './validate-response.ts';

const now = new Date('2026-01-15T09:00:00.000Z');
const [signer, nextSigner, neighbour, stranger] = ['idp', 'idp next', 'neighbour', 'stranger'].map(
  createSigner,
);
const connection: SamlConnection = {
  id: 'c1',
  name: 'corp',
  displayName: 'Corp',
  kind: 'saml',
  provisioning: 'none',
  emailDomains: ['corp.example'],
  decryptionKeys: [decryptionKey, previousKey],
  settings: {
    issuer: 'https://idp.corp.example/metadata',
    entryPoint: 'https://idp.corp.example/sso',
    certificates: [signer!.certificate],
    emailAttribute: 'mail',
    firstNameAttribute: 'givenName',
    lastNameAttribute: 'sn',
    nameIdFormat: emailFormat,
  },
};
const serviceProvider = describeServiceProvider('https://id.example', connection, []);

const createLab = (): Lab => ({
  issuer: connection.settings.issuer,
  entityId: serviceProvider.entityId,
  acsUrl: serviceProvider.acsUrl,
  requestId: freshId(),
  now,
  signer: signer!,
  neighbour: neighbour!,
  stranger: stranger!,
});

/** Receives a response like the assertion consumer service, with one pending request. */
async function receive(
  lab: Lab,
  encoded: string,
  changes: {
    at?: Date;
    settings?: Partial<SamlConnection['settings']>;
    decryptionKeys?: string[];
    forceAuthentication?: boolean;
  } = {},
): Promise<ValidResponse> {
  const received = readResponse(parseResponse(encoded));
  if (received.inResponseTo !== lab.requestId) throw new SamlRefusal('unsolicited', 'no such request');
  return await validateResponse(
    received,
    {
      connection: {
        ...connection,
        settings: { ...connection.settings, ...changes.settings },
        decryptionKeys: changes.decryptionKeys ?? connection.decryptionKeys,
      },
      serviceProvider,
      requestId: lab.requestId,
      requestedAt: now,
      forceAuthentication: changes.forceAuthentication ?? false,
    },
    changes.at ?? now,
  );
}

/** The reason of a rejection, or `accepted`. Any other error fails the test. */
async function refusalOf(outcome: Promise<ValidResponse>): Promise<string> {
  try {
    await outcome;
    return 'accepted';
  } catch (error) {
    if (error instanceof SamlRefusal) return error.reason;
    throw error;
  }
}

test.each(attacks)('$row rejects $name', async ({ forge, reason, forceAuthentication = false }) => {
  const lab = createLab();
  expect(await refusalOf(receive(lab, forge(lab), { forceAuthentication }))).toBe(reason);
  // Control: the same request accepts the genuine response.
  expect(await refusalOf(receive(lab, honest(lab), { forceAuthentication }))).toBe('accepted');
});

const roleOf = (index: number): string =>
  `<saml:Attribute FriendlyName="Role" Name="Role" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">role-${index}</saml:AttributeValue></saml:Attribute>`;
const groupOf = (index: number): string =>
  `<saml:AttributeValue>${String(index).padStart(8, '0')}-0000-4000-8000-000000000000</saml:AttributeValue>`;
const typedGroupOf = (index: number): string =>
  groupOf(index).replace(
    '>',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="x" xsi:type="xs:string">',
  );
const inOne = (values: string): string => `<saml:Attribute Name="groups">${values}</saml:Attribute>`;
const repeated = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join('');

test.each([
  ['330 roles of Keycloak', repeated(330, roleOf)],
  ['750 roles of Keycloak', repeated(750, roleOf)],
  ['700 groups of Microsoft Entra ID', inOne(repeated(700, groupOf))],
  ['2,500 groups of Microsoft Entra ID', inOne(repeated(2_500, groupOf))],
  ['1,200 groups with a type', inOne(repeated(1_200, typedGroupOf))],
])('a user with %s signs in', async (_what, more) => {
  const lab = createLab();
  const given = attributes({ mail: 'erin@corp.example' });
  const withMore = given.replace('</saml:AttributeStatement>', `${more}</saml:AttributeStatement>`);
  expect(await refusalOf(receive(lab, honest(lab, { attributes: withMore })))).toBe('accepted');
});

test('there are at least 60 attacks with unique names', () => {
  expect(attacks.length).toBeGreaterThan(60);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

test('a genuine response yields the user and the time until which it must be remembered', async () => {
  const lab = createLab();
  expect(await receive(lab, honest(lab))).toEqual({
    proof: {
      subject: 'employee@corp.example',
      email: 'employee@corp.example',
      emailVerified: true,
      emailClaim: 'mail',
      firstName: 'Erin',
      lastName: 'Ployee',
      authenticatedAt: now,
      sessionIndex: 'session-1',
      subjectQualifiers: [],
    },
    assertionId: expect.stringMatching(/^_[0-9a-f]{32}$/),
    rememberUntil: new Date('2026-01-15T09:06:00.000Z'),
  });
});

test.each([
  ['a signed assertion', (lab: Lab) => honest(lab)],
  ['a signed response', (lab: Lab) => honest(lab, {}, { what: 'Response' })],
  ['both signed', (lab: Lab) => encode(sign(honestXml(lab), lab.signer, { what: 'Response' }))],
  [
    'SHA-512',
    (lab: Lab) =>
      honest(lab, {}, { signatureAlgorithm: algorithms.rsaSha512, digestAlgorithm: algorithms.sha512 }),
  ],
  ['no embedded certificate', (lab: Lab) => honest(lab, {}, { keyInfo: false })],
  ['an XML declaration', (lab: Lab) => encode(`<?xml version="1.0" encoding="UTF-8"?>\n${honestXml(lab)}`)],
  ['an encrypted assertion', (lab: Lab) => encode(encryptedXml(lab))],
  ['an encrypted and signed assertion', (lab: Lab) => encode(encryptedXml(lab, { isAssertionSigned: true }))],
  ['AES-128-GCM', (lab: Lab) => encode(encryptedXml(lab, { cipher: 'aes128-gcm' }))],
  ['RSA-OAEP of xmlenc 1.1', (lab: Lab) => encode(encryptedXml(lab, { transport: 'rsa-oaep' }))],
  ['the previous key', (lab: Lab) => encode(encryptedXml(lab, { key: previousKey }))],
  ['lines of 76 characters', (lab: Lab) => honest(lab).replace(/.{76}/g, '$&\r\n')],
  [
    'predefined entities',
    (lab: Lab) => honest(lab, { attributes: attributes({ mail: 'a&amp;b&#x40;corp.example' }) }),
  ],
])('a genuine response with %s is accepted', async (_name, make) => {
  const lab = createLab();
  expect(await refusalOf(receive(lab, make(lab)))).toBe('accepted');
});

test('an encrypted assertion is rejected if the connection has no decryption key [S48]', async () => {
  const lab = createLab();
  const response = encode(encryptedXml(lab));
  expect(await refusalOf(receive(lab, response, { decryptionKeys: [] }))).toBe('encrypted');
});

test('an encrypted assertion yields the same proof as the unencrypted assertion', async () => {
  const lab = createLab();
  const { proof } = await receive(lab, honest(lab));
  const other = createLab();
  expect((await receive(other, encode(encryptedXml(other)))).proof).toEqual(proof);
});

test('two certificates are valid during a rollover, and the old certificate is rejected after its removal [F09]', async () => {
  const both = { certificates: [signer!.certificate, nextSigner!.certificate] };
  const next = { certificates: [nextSigner!.certificate] };
  const lab = createLab();
  const renewed = { ...createLab(), signer: nextSigner! };
  expect(await refusalOf(receive(lab, honest(lab), { settings: both }))).toBe('accepted');
  expect(await refusalOf(receive(renewed, honest(renewed), { settings: both }))).toBe('accepted');
  expect(await refusalOf(receive(renewed, honest(renewed), { settings: next }))).toBe('accepted');
  expect(await refusalOf(receive(lab, honest(lab), { settings: next }))).toBe('signature_invalid');
});

test('a certificate can be bare base64, and an unusable certificate is reported', async () => {
  const lab = createLab();
  const bare = signer!.certificate.replace(/-----[^-]+-----|\n/g, '');
  expect(await refusalOf(receive(lab, honest(lab), { settings: { certificates: [bare] } }))).toBe('accepted');
  expect(await refusalOf(receive(lab, honest(lab), { settings: { certificates: ['no certificate'] } }))).toBe(
    'certificate_unusable',
  );
});

test.each([-1, 1])(
  'an identity provider whose clock is off by %i minute is accepted [F07]',
  async (minutes) => {
    const lab = createLab();
    const off = { ...lab, now: new Date(now.getTime() + minutes * 60_000) };
    expect(await refusalOf(receive(lab, honest(off)))).toBe('accepted');
  },
);

test('an assertion is valid until its end plus 60 seconds, and no longer [S45]', async () => {
  const lab = createLab();
  const response = honest(lab);
  const end = new Date(timeIn(now, 5)).getTime() + 60_000;
  expect(await refusalOf(receive(lab, response, { at: new Date(end - 1) }))).toBe('accepted');
  expect(await refusalOf(receive(lab, response, { at: new Date(end) }))).toBe('expired');
});

test('attributes named nameID, __proto__ and constructor have no effect [S45]', async () => {
  const lab = createLab();
  const hostile = attributes({
    nameID: 'chair@corp.example',
    ['__proto__']: 'polluted',
    constructor: 'x',
    getAssertionXml: 'x',
    mail: 'employee@corp.example',
  });
  const { proof } = await receive(lab, honest(lab, { attributes: hostile }));
  expect(proof).toMatchObject({ subject: 'employee@corp.example', email: 'employee@corp.example' });
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
});

test('an address of another domain is read unchanged: the account lookup rejects it [S45]', async () => {
  const lab = createLab();
  const { proof } = await receive(
    lab,
    honest(lab, { attributes: attributes({ mail: 'chair@harbor.example' }) }),
  );
  expect(proof).toMatchObject({ email: 'chair@harbor.example', emailVerified: true });
});

test('only signed content is read: the response around a signed assertion proves nothing [S44]', async () => {
  const lab = createLab();
  // if the issuer were read from the unsigned message, the response would be accepted
  const forged = replaced(
    honestXml(lab),
    '<samlp:Status>',
    '<samlp:Extensions><saml:Subject xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:NameID>chair@corp.example</saml:NameID></saml:Subject></samlp:Extensions><samlp:Status>',
  );
  const { proof } = await receive(lab, encode(forged));
  expect(proof.subject).toBe('employee@corp.example');
});

test('a fresh authentication can precede the request by the clock tolerance [S45]', async () => {
  const lab = createLab();
  const response = sign(
    renderResponse(draftResponse({ ...lab, now: new Date(now.getTime() - 50_000) })),
    lab.signer,
  );
  expect(await refusalOf(receive(lab, encode(response), { forceAuthentication: true }))).toBe('accepted');
});
