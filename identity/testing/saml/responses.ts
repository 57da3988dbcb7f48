import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { createSelfSignedCertificate } from '../../src/company/saml/own-keys.ts';

// The messages of an identity provider, built from strings, so that a test can make any single part invalid.

export type Signer = { privateKey: KeyObject; certificate: string };

export function createSigner(commonName: string): Signer {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, certificate: createSelfSignedCertificate(privateKey, commonName) };
}

/** All values of a valid response; undefined omits the attribute or element. */
export type Draft = {
  responseId: string;
  assertionId: string;
  responseIssuedAt: string | undefined;
  assertionIssuedAt: string | undefined;
  destination: string | undefined;
  /** The InResponseTo attribute of the response. */
  inResponseTo: string | undefined;
  responseIssuer: string | undefined;
  assertionIssuer: string | undefined;
  status: string | undefined;
  version: string;
  /** This member and the following ones are complete elements. */
  nameId: string;
  confirmations: string;
  conditions: string;
  authentication: string;
  attributes: string;
  /** Content between status and assertion. */
  beforeAssertion: string;
  afterAssertion: string;
};

/** The values from which an identity provider builds a response. */
export type Situation = {
  issuer: string;
  entityId: string;
  acsUrl: string;
  requestId: string;
  now: Date;
  nameId?: string;
  nameIdFormat?: string;
  /** Further attributes of the NameID. */
  qualifiers?: Record<string, string>;
  attributes?: Record<string, string>;
  sessionIndex?: string;
};

export const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
export const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
export const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

const minuteMs = 60_000;
export const freshId = (): string => `_${randomBytes(16).toString('hex')}`;
/** Returns the time in `minutes` minutes, as an XML dateTime. */
export const timeIn = (now: Date, minutes: number): string =>
  new Date(now.getTime() + minutes * minuteMs).toISOString();

/** A valid response like that of most identity providers. */
export function draftResponse(situation: Situation): Draft {
  const { issuer, entityId, acsUrl, requestId, now } = situation;
  const instant = timeIn(now, 0);
  const nameId = situation.nameId ?? 'employee@corp.example';
  return {
    responseId: freshId(),
    assertionId: freshId(),
    responseIssuedAt: instant,
    assertionIssuedAt: instant,
    destination: acsUrl,
    inResponseTo: requestId,
    responseIssuer: issuer,
    assertionIssuer: issuer,
    status: success,
    version: '2.0',
    nameId: `<saml:NameID${written({ Format: situation.nameIdFormat ?? emailFormat, ...situation.qualifiers })}>${nameId}</saml:NameID>`,
    confirmations: confirmation({ now, acsUrl, requestId }),
    conditions: conditions({ now, entityId }),
    authentication: authentication({ now, sessionIndex: situation.sessionIndex ?? 'session-1' }),
    attributes: attributes(situation.attributes ?? { mail: nameId, givenName: 'Erin', sn: 'Ployee' }),
    beforeAssertion: '',
    afterAssertion: '',
  };
}

export function confirmation(
  { now, acsUrl, requestId }: Pick<Situation, 'now' | 'acsUrl' | 'requestId'>,
  changes: Record<string, string | undefined> = {},
): string {
  const { Method = bearer, ...data } = changes;
  const attributesOfData = {
    InResponseTo: requestId,
    NotOnOrAfter: timeIn(now, 5),
    Recipient: acsUrl,
    ...data,
  };
  return `<saml:SubjectConfirmation Method="${Method}"><saml:SubjectConfirmationData${written(attributesOfData)}/></saml:SubjectConfirmation>`;
}

export function conditions(
  { now, entityId }: Pick<Situation, 'now' | 'entityId'>,
  changes: { NotBefore?: string; NotOnOrAfter?: string; audience?: string; more?: string } = {},
): string {
  const {
    NotBefore = timeIn(now, 0),
    NotOnOrAfter = timeIn(now, 5),
    audience = restriction(entityId),
    more = '',
  } = changes;
  return `<saml:Conditions${written({ NotBefore, NotOnOrAfter })}>${audience}${more}</saml:Conditions>`;
}

export const restriction = (...audiences: string[]): string =>
  `<saml:AudienceRestriction>${audiences.map((one) => `<saml:Audience>${one}</saml:Audience>`).join('')}</saml:AudienceRestriction>`;

export function authentication(
  { now, sessionIndex }: { now: Date; sessionIndex: string },
  changes: Record<string, string | undefined> = {},
): string {
  const statement = { AuthnInstant: timeIn(now, 0), SessionIndex: sessionIndex, ...changes };
  return `<saml:AuthnStatement${written(statement)}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
}

export const attributes = (values: Record<string, string>): string =>
  `<saml:AttributeStatement>${Object.entries(values)
    .map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    )
    .join('')}</saml:AttributeStatement>`;

export function renderAssertion(draft: Draft): string {
  const head = { ID: draft.assertionId, Version: '2.0', IssueInstant: draft.assertionIssuedAt };
  return [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${written(head)}>`,
    element('saml:Issuer', draft.assertionIssuer),
    `<saml:Subject>${draft.nameId}${draft.confirmations}</saml:Subject>`,
    draft.conditions,
    draft.authentication,
    draft.attributes,
    '</saml:Assertion>',
  ].join('');
}

export function renderResponse(draft: Draft, assertion = renderAssertion(draft)): string {
  const head = {
    ID: draft.responseId,
    Version: draft.version,
    IssueInstant: draft.responseIssuedAt,
    Destination: draft.destination,
    InResponseTo: draft.inResponseTo,
  };
  const status =
    draft.status === undefined
      ? ''
      : `<samlp:Status><samlp:StatusCode Value="${draft.status}"/></samlp:Status>`;
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${written(head)}>`,
    element('saml:Issuer', draft.responseIssuer),
    status,
    draft.beforeAssertion,
    assertion,
    draft.afterAssertion,
    '</samlp:Response>',
  ].join('');
}

export type SigningChoices = {
  /** The local name of the element to sign; the first element with this name is signed. */
  what?: string;
  signatureAlgorithm?: string;
  digestAlgorithm?: string;
  canonicalization?: string;
  transforms?: string[];
  /** Signs with HMAC and this secret instead of the key. */
  hmacSecret?: string;
  /** Whether the signature contains the signer's certificate. */
  keyInfo?: boolean;
};

export const algorithms = {
  rsaSha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  rsaSha512: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  rsaSha1: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  hmacSha1: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  exclusiveWithComments: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  inclusive: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
} as const;

/** Signs an element. The signature follows its Issuer, as the schema requires. */
export function sign(xml: string, signer: Signer, choices: SigningChoices = {}): string {
  const {
    what = 'Assertion',
    signatureAlgorithm = algorithms.rsaSha256,
    digestAlgorithm = algorithms.sha256,
    canonicalization = algorithms.exclusive,
    transforms = [algorithms.enveloped, algorithms.exclusive],
    hmacSecret,
    keyInfo = true,
  } = choices;
  const signature = new SignedXml({
    privateKey: hmacSecret ?? signer.privateKey,
    ...(keyInfo && hmacSecret === undefined && { publicCert: signer.certificate }),
    signatureAlgorithm: hmacSecret === undefined ? signatureAlgorithm : algorithms.hmacSha1,
    canonicalizationAlgorithm: canonicalization,
    idAttribute: 'ID',
  });
  if (hmacSecret !== undefined) signature.enableHMAC();
  const place = `//*[local-name(.)='${what}']`;
  signature.addReference({ xpath: place, transforms, digestAlgorithm });
  signature.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `(${place})[1]/*[local-name(.)='Issuer'][1]`, action: 'after' },
  });
  return signature.getSignedXml();
}

/** Encodes a message for a form field. */
export const encode = (xml: string | Buffer): string => Buffer.from(xml).toString('base64');

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${text}</${name}>`;

export function written(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${value}"`))
    .join('');
}
