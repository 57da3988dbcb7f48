import { deflateRawSync } from 'node:zlib';
import { createHmac, sign as signBytes } from 'node:crypto';
import type { SamlRefusalReason } from '../../src/company/saml/refusal.ts';
import { piece, replaced, signaturePattern } from './lab.ts';
import { algorithms, emailFormat, encode, freshId, sign, timeIn, written } from './responses.ts';
import type { Signer } from './responses.ts';

/** The setting of a sign-out by an identity provider. */
export type LogoutLab = {
  issuer: string;
  entityId: string;
  destination: string;
  now: Date;
  subject: string;
  sessionIndex: string;
  signer: Signer;
  neighbour: Signer;
};

type LogoutDraft = {
  id?: string;
  issuer?: string | undefined;
  destination?: string | undefined;
  issuedAt?: string | undefined;
  notOnOrAfter?: string | undefined;
  version?: string;
  nameId?: string;
  sessionIndex?: string;
};

export function logoutXml(lab: LogoutLab, changes: LogoutDraft = {}): string {
  const draft = {
    id: freshId(),
    issuer: lab.issuer,
    destination: lab.destination,
    issuedAt: timeIn(lab.now, 0),
    notOnOrAfter: timeIn(lab.now, 5),
    version: '2.0',
    nameId: `<saml:NameID Format="${emailFormat}">${lab.subject}</saml:NameID>`,
    sessionIndex: `<samlp:SessionIndex>${lab.sessionIndex}</samlp:SessionIndex>`,
    ...changes,
  };
  const head = {
    ID: draft.id,
    Version: draft.version,
    IssueInstant: draft.issuedAt,
    Destination: draft.destination,
    NotOnOrAfter: draft.notOnOrAfter,
  };
  const issuer = draft.issuer === undefined ? '' : `<saml:Issuer>${draft.issuer}</saml:Issuer>`;
  return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${written(head)}>${issuer}${draft.nameId}${draft.sessionIndex}</samlp:LogoutRequest>`;
}

/** A request with the POST binding: the value of the form field. */
export const posted = (lab: LogoutLab, changes: LogoutDraft = {}): string =>
  encode(sign(logoutXml(lab, changes), lab.signer, { what: 'LogoutRequest' }));

const deflated = (xml: string | Buffer): string => encodeURIComponent(deflateRawSync(xml).toString('base64'));

/** A request with the redirect binding: the complete query. */
export function redirected(
  xml: string | Buffer,
  signer: Signer,
  {
    algorithm = algorithms.rsaSha256,
    hash = 'RSA-SHA256',
    relayState = '',
  }: { algorithm?: string; hash?: string; relayState?: string } = {},
): string {
  const relay = relayState === '' ? '' : `&RelayState=${encodeURIComponent(relayState)}`;
  const signed = `SAMLRequest=${deflated(xml)}${relay}&SigAlg=${encodeURIComponent(algorithm)}`;
  const value = signBytes(hash, Buffer.from(signed), signer.privateKey).toString('base64');
  return `${signed}&Signature=${encodeURIComponent(value)}`;
}

export type LogoutAttack = {
  name: string;
  reason: SamlRefusalReason;
  /** A query, or the value of the form field. */
  forge: (lab: LogoutLab) => { query: string } | { field: string };
};

const query = (name: string, reason: SamlRefusalReason, forge: (lab: LogoutLab) => string): LogoutAttack => ({
  name: `by redirect: ${name}`,
  reason,
  forge: (lab) => ({ query: forge(lab) }),
});
const form = (name: string, reason: SamlRefusalReason, forge: (lab: LogoutLab) => string): LogoutAttack => ({
  name: `by form: ${name}`,
  reason,
  forge: (lab) => ({ field: forge(lab) }),
});
/** A correctly signed message with invalid content, with both bindings. */
const claim = (
  name: string,
  reason: SamlRefusalReason,
  changes: (lab: LogoutLab) => LogoutDraft,
): LogoutAttack[] => [
  query(name, reason, (lab) => redirected(logoutXml(lab, changes(lab)), lab.signer)),
  form(name, reason, (lab) => posted(lab, changes(lab))),
];

const elsewhere = 'https://elsewhere.example';
const unsigned = (lab: LogoutLab): string => `SAMLRequest=${deflated(logoutXml(lab))}`;

export const logoutAttacks: readonly LogoutAttack[] = [
  query('unsigned', 'unsigned', unsigned),
  query(
    'an algorithm without a signature',
    'unsigned',
    (lab) => `${unsigned(lab)}&SigAlg=${encodeURIComponent(algorithms.rsaSha256)}`,
  ),
  query('a signature without an algorithm', 'unsigned', (lab) => `${unsigned(lab)}&Signature=AAAA`),
  query(
    'an empty signature',
    'signature_invalid',
    (lab) => `${unsigned(lab)}&SigAlg=${encodeURIComponent(algorithms.rsaSha256)}&Signature=`,
  ),
  query('SHA-1', 'signature_algorithm', (lab) =>
    redirected(logoutXml(lab), lab.signer, { algorithm: algorithms.rsaSha1, hash: 'RSA-SHA1' }),
  ),
  query('MD5', 'signature_algorithm', (lab) =>
    redirected(logoutXml(lab), lab.signer, {
      algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-md5',
      hash: 'RSA-MD5',
    }),
  ),
  query('HMAC with the certificate as its secret', 'signature_algorithm', (lab) => {
    const signed = `${unsigned(lab)}&SigAlg=${encodeURIComponent(algorithms.hmacSha1)}`;
    const value = createHmac('sha1', lab.signer.certificate).update(signed).digest('base64');
    return `${signed}&Signature=${encodeURIComponent(value)}`;
  }),
  query('SHA-1 declared as SHA-256', 'signature_invalid', (lab) =>
    redirected(logoutXml(lab), lab.signer, { hash: 'RSA-SHA1' }),
  ),
  query("another organisation's key", 'signature_invalid', (lab) =>
    redirected(logoutXml(lab), lab.neighbour),
  ),
  query('a replaced message under a valid signature', 'signature_invalid', (lab) =>
    redirected(logoutXml(lab), lab.signer).replace(
      /SAMLRequest=[^&]*/,
      unsigned({ ...lab, subject: 'chair@corp.example' }),
    ),
  ),
  query(
    'the signed message under another name (xSAMLRequest)',
    'parameters',
    (lab) =>
      `${unsigned({ ...lab, subject: 'chair@corp.example' })}&x${redirected(logoutXml(lab), lab.signer)}`,
  ),
  query(
    'the message twice, the evil one last',
    'parameters',
    (lab) =>
      `${redirected(logoutXml(lab), lab.signer)}&${unsigned({ ...lab, subject: 'chair@corp.example' })}`,
  ),
  query(
    'the message twice, the evil one first',
    'parameters',
    (lab) =>
      `${unsigned({ ...lab, subject: 'chair@corp.example' })}&${redirected(logoutXml(lab), lab.signer)}`,
  ),
  query('two signatures', 'parameters', (lab) => `${redirected(logoutXml(lab), lab.signer)}&Signature=AAAA`),
  query(
    'a RelayState that was not signed',
    'signature_invalid',
    (lab) => `${redirected(logoutXml(lab), lab.signer)}&RelayState=x`,
  ),
  query('an encoded parameter name', 'parameters', (lab) =>
    redirected(logoutXml(lab), lab.signer).replace('SAMLRequest', 'SAMLR%65quest'),
  ),
  query(
    'request and response',
    'parameters',
    (lab) => `${redirected(logoutXml(lab), lab.signer)}&SAMLResponse=AAAA`,
  ),
  query('a message that inflates to 3 MB, signed', 'message_inflates_too_far', (lab) =>
    redirected(Buffer.alloc(3_000_000, 'x'), lab.signer),
  ),
  query('a message that inflates to half a megabyte, signed', 'message_too_large', (lab) =>
    redirected(Buffer.alloc(500_000, 'x'), lab.signer),
  ),
  query('a document type', 'message_has_declarations', (lab) =>
    redirected(`<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>${logoutXml(lab)}`, lab.signer),
  ),
  query('a message that is not deflated', 'message_malformed', (lab) => {
    const signed = `SAMLRequest=${encodeURIComponent(encode('<no>deflate</no>'))}&SigAlg=${encodeURIComponent(algorithms.rsaSha256)}`;
    const value = signBytes('RSA-SHA256', Buffer.from(signed), lab.signer.privateKey).toString('base64');
    return `${signed}&Signature=${encodeURIComponent(value)}`;
  }),
  form('unsigned', 'unsigned', (lab) => encode(logoutXml(lab))),
  form("another organisation's key", 'signature_invalid', (lab) => posted({ ...lab, signer: lab.neighbour })),
  form('SHA-1', 'signature_algorithm', (lab) =>
    encode(
      sign(logoutXml(lab), lab.signer, { what: 'LogoutRequest', signatureAlgorithm: algorithms.rsaSha1 }),
    ),
  ),
  form('a changed NameID', 'signature_invalid', (lab) => {
    const xml = sign(logoutXml(lab), lab.signer, { what: 'LogoutRequest' });
    return encode(replaced(xml, `>${lab.subject}<`, '>chair@corp.example<'));
  }),
  form('the signed request within a forged one', 'reference', (lab) => {
    const signed = sign(logoutXml(lab), lab.signer, { what: 'LogoutRequest' });
    const outer = logoutXml({ ...lab, subject: 'chair@corp.example' });
    const wrapped = `<samlp:Extensions>${replaced(signed, signaturePattern, '')}</samlp:Extensions>`;
    return encode(
      replaced(outer, '</saml:Issuer>', `</saml:Issuer>${piece(signed, signaturePattern)}${wrapped}`),
    );
  }),
  form('a comment in the NameID', 'message_has_declarations', (lab) => {
    const xml = sign(logoutXml({ ...lab, subject: `${lab.subject}.evil.test` }), lab.signer, {
      what: 'LogoutRequest',
    });
    return encode(replaced(xml, '.evil.test', '<!-- -->.evil.test'));
  }),
  ...claim('another issuer', 'issuer', () => ({ issuer: elsewhere })),
  ...claim('no issuer', 'issuer', () => ({ issuer: undefined })).slice(0, 1),
  ...claim('another destination', 'destination', () => ({ destination: elsewhere })),
  ...claim('no destination', 'destination', () => ({ destination: undefined })),
  ...claim('expired', 'expired', (lab) => ({ notOnOrAfter: timeIn(lab.now, -2) })),
  ...claim('old, without an expiry', 'expired', (lab) => ({
    issuedAt: timeIn(lab.now, -10),
    notOnOrAfter: undefined,
  })),
  ...claim('issued in the future', 'issued_in_the_future', (lab) => ({ issuedAt: timeIn(lab.now, 3) })),
  ...claim('no time of issue', 'time_malformed', () => ({ issuedAt: undefined })),
  ...claim('no NameID', 'name_id_missing', () => ({ nameId: '' })),
  ...claim('an encrypted NameID', 'encrypted', () => ({ nameId: '<saml:EncryptedID/>' })),
  ...claim('an empty SessionIndex, which must not mean all of them', 'not_a_logout_request', () => ({
    sessionIndex: '<samlp:SessionIndex/>',
  })),
  ...claim('another version', 'not_a_logout_request', () => ({ version: '1.1' })),
];
