import { honest, honestXml, replaced, target } from './lab.ts';
import type { Attack, Lab } from './lab.ts';
import {
  attributes,
  authentication,
  conditions,
  confirmation,
  draftResponse,
  emailFormat,
  encode,
  freshId,
  restriction,
  timeIn,
} from './responses.ts';
import type { Draft } from './responses.ts';

// All these messages have a valid signature but invalid content.

type Changes = (lab: Lab) => Partial<Draft>;
const claim = (
  name: string,
  reason: Attack['reason'],
  changes: Changes,
  row: Attack['row'] = 'S45',
): Attack => ({
  row,
  name,
  reason,
  forge: (lab) => honest(lab, changes(lab)),
});

const elsewhere = 'https://elsewhere.example';
const nameId = (text: string, format = emailFormat, more = ''): string =>
  `<saml:NameID Format="${format}"${more}>${text}</saml:NameID>`;
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** A valid message of an identity provider whose clock is wrong. */
const clockOff =
  (minutes: number): Attack['forge'] =>
  (lab) =>
    honest({ ...lab, now: new Date(lab.now.getTime() + minutes * 60_000) });

const issuersAndAudiences: Attack[] = [
  claim('another issuer of the response', 'issuer', () => ({ responseIssuer: elsewhere })),
  claim('no issuer of the response', 'issuer', () => ({ responseIssuer: undefined })),
  claim('another issuer of the assertion', 'issuer', () => ({ assertionIssuer: elsewhere })),
  claim('an issuer with space around it', 'issuer', (lab) => ({ assertionIssuer: ` ${lab.issuer} ` })),
  claim('another destination', 'destination', () => ({ destination: `${elsewhere}/saml/acs` })),
  claim('no destination', 'destination', () => ({ destination: undefined })),
  claim('another recipient', 'recipient', (lab) => ({
    confirmations: confirmation(lab, { Recipient: `${elsewhere}/saml/acs` }),
  })),
  claim('no recipient', 'recipient', (lab) => ({
    confirmations: confirmation(lab, { Recipient: undefined }),
  })),
  claim('another audience', 'audience', (lab) => ({
    conditions: conditions(lab, { audience: restriction(elsewhere) }),
  })),
  claim('the audience of another connection of this service', 'audience', (lab) => ({
    conditions: conditions(lab, { audience: restriction(`${lab.entityId}-other`) }),
  })),
  claim('no audience restriction', 'audience', (lab) => ({ conditions: conditions(lab, { audience: '' }) })),
  claim('an empty audience restriction', 'audience', (lab) => ({
    conditions: conditions(lab, { audience: restriction() }),
  })),
  claim('a second audience restriction without this service', 'audience', (lab) => ({
    conditions: conditions(lab, { audience: restriction(lab.entityId) + restriction(elsewhere) }),
  })),
];

const requestsAndStatus: Attack[] = [
  claim('the confirmation answers another request', 'in_response_to', (lab) => ({
    confirmations: confirmation(lab, { InResponseTo: freshId() }),
  })),
  claim('InResponseTo only on the unsigned response (stapling)', 'in_response_to', (lab) => ({
    confirmations: confirmation(lab, { InResponseTo: undefined }),
  })),
  claim('no InResponseTo', 'unsolicited', (lab) => ({
    inResponseTo: undefined,
    confirmations: confirmation(lab, { InResponseTo: undefined }),
  })),
  claim('InResponseTo only on the confirmation', 'unsolicited', () => ({
    inResponseTo: undefined,
  })),
  claim('InResponseTo of an unknown request', 'unsolicited', (lab) => {
    const requestId = freshId();
    return { inResponseTo: requestId, confirmations: confirmation({ ...lab, requestId }) };
  }),
  claim('no status', 'status_not_success', () => ({ status: undefined })),
  claim('a failure status with a valid assertion', 'status_not_success', () => ({
    status: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
  })),
  claim('a status that starts with the success status', 'status_not_success', () => ({
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success2',
  })),
  {
    row: 'S45',
    name: 'a failure status without an assertion',
    reason: 'status_not_success',
    forge: (lab) =>
      encode(
        `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${freshId()}" Version="2.0" InResponseTo="${lab.requestId}"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Requester"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode></samlp:Status></samlp:Response>`,
      ),
  },
  claim('a version before 2.0', 'not_a_response', () => ({ version: '1.1' })),
  {
    row: 'S45',
    name: 'a LogoutResponse',
    reason: 'not_a_response',
    forge: (lab) => encode(honestXml(lab).replaceAll('samlp:Response', 'samlp:LogoutResponse')),
  },
  {
    row: 'S45',
    name: 'a response in another namespace',
    reason: 'not_a_response',
    forge: (lab) =>
      encode(
        replaced(
          honestXml(lab),
          'urn:oasis:names:tc:SAML:2.0:protocol',
          'urn:oasis:names:tc:SAML:1.0:protocol',
        ),
      ),
  },
];

const times: Attack[] = [
  claim('an expired confirmation', 'expired', (lab) => ({
    confirmations: confirmation(lab, { NotOnOrAfter: timeIn(lab.now, -2) }),
  })),
  claim('a confirmation without an expiry', 'time_malformed', (lab) => ({
    confirmations: confirmation(lab, { NotOnOrAfter: undefined }),
  })),
  claim('a confirmation that is not valid yet', 'not_yet_valid', (lab) => ({
    confirmations: confirmation(lab, { NotBefore: timeIn(lab.now, 2) }),
  })),
  claim('expired conditions', 'expired', (lab) => ({
    conditions: conditions(lab, { NotOnOrAfter: timeIn(lab.now, -2) }),
  })),
  claim('conditions that are not valid yet', 'not_yet_valid', (lab) => ({
    conditions: conditions(lab, { NotBefore: timeIn(lab.now, 2) }),
  })),
  claim('an assertion issued in the future', 'issued_in_the_future', (lab) => ({
    assertionIssuedAt: timeIn(lab.now, 2),
  })),
  claim('an assertion older than the request', 'issued_before_the_request', (lab) => ({
    assertionIssuedAt: timeIn(lab.now, -2),
  })),
  claim('an assertion without a time of issue', 'time_malformed', () => ({ assertionIssuedAt: undefined })),
  claim('a time with a zone', 'time_malformed', (lab) => ({
    assertionIssuedAt: timeIn(lab.now, 0).replace('Z', '+00:00'),
  })),
  claim('an invalid time', 'time_malformed', (lab) => ({
    conditions: conditions(lab, { NotOnOrAfter: '2099-13-45T99:99:99Z' }),
  })),
  claim('an expired session at the provider', 'expired', (lab) => ({
    authentication: authentication(
      { now: lab.now, sessionIndex: 'x' },
      { SessionNotOnOrAfter: timeIn(lab.now, -2) },
    ),
  })),
  {
    ...claim(
      'an authentication before the request, although reauthentication was requested',
      'authentication_too_old',
      (lab) => ({
        authentication: authentication(
          { now: lab.now, sessionIndex: 'x' },
          { AuthnInstant: timeIn(lab.now, -30) },
        ),
      }),
    ),
    forceAuthentication: true,
  },
  {
    row: 'F07',
    name: 'an identity provider whose clock is five minutes slow',
    reason: 'issued_before_the_request',
    forge: clockOff(-5),
  },
  {
    row: 'F07',
    name: 'an identity provider whose clock is five minutes fast',
    reason: 'issued_in_the_future',
    forge: clockOff(5),
  },
];

const subjects: Attack[] = [
  claim('no confirmation', 'confirmation_missing', () => ({ confirmations: '' })),
  claim('a confirmation without data', 'confirmation_missing', () => ({
    confirmations: '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/>',
  })),
  claim('two confirmations', 'confirmation_missing', (lab) => ({
    confirmations: confirmation(lab) + confirmation(lab),
  })),
  ...['holder-of-key', 'sender-vouches'].map((method) =>
    claim(`the confirmation method ${method}`, 'confirmation_method', (lab) => ({
      confirmations: confirmation(lab, { Method: `urn:oasis:names:tc:SAML:2.0:cm:${method}` }),
    })),
  ),
  claim('no conditions', 'conditions', () => ({ conditions: '' })),
  claim('conditions twice', 'conditions', (lab) => ({ conditions: conditions(lab) + conditions(lab) })),
  claim('an unknown condition', 'conditions', (lab) => ({
    conditions: conditions(lab, { more: '<saml:Condition/>' }),
  })),
  claim('no authentication statement', 'authentication_statement_missing', () => ({ authentication: '' })),
  claim('an attribute called nameID instead of a NameID', 'name_id_missing', () => ({
    nameId: '',
    attributes: attributes({ nameID: target, NameID: target }),
  })),
  claim('two NameIDs', 'name_id_missing', () => ({ nameId: nameId(target) + nameId(target) })),
  claim('an empty NameID', 'name_id_malformed', () => ({ nameId: nameId('') })),
  claim('a blank NameID', 'name_id_malformed', () => ({ nameId: nameId('  ') })),
  claim('a NameID with a leading space', 'name_id_malformed', () => ({ nameId: nameId(` ${target}`) })),
  claim('a NameID with an element in it', 'name_id_malformed', () => ({
    nameId: nameId(`${target}<saml:Issuer>x</saml:Issuer>.evil.test`),
  })),
  claim('a NameID with a line break', 'name_id_malformed', () => ({ nameId: nameId(`a&#10;${target}`) })),
  claim('a NameID that is too long', 'name_id_malformed', () => ({ nameId: nameId('x'.repeat(257)) })),
  claim('a transient NameID', 'name_id_format', () => ({ nameId: nameId(target, transient) })),
  claim('a NameID of another format than configured', 'name_id_format', () => ({
    nameId: nameId(target, persistent),
  })),
  claim('a NameID without a format', 'name_id_format', () => ({
    nameId: `<saml:NameID>${target}</saml:NameID>`,
  })),
  claim('a NameID qualified by another provider', 'name_id_qualifier', () => ({
    nameId: nameId(target, emailFormat, ` NameQualifier="${elsewhere}"`),
  })),
  claim('a NameID qualified for another service', 'name_id_qualifier', () => ({
    nameId: nameId(target, emailFormat, ` SPNameQualifier="${elsewhere}"`),
  })),
];

/**
 * Markup inserted into a signed NameID. Canonicalisation ignores a comment, but a careless parser ends the text there.
 */
const splitNames: Attack[] = [
  ['a comment', '<!-- -->'],
  ['a processing instruction', '<?x?>'],
  ['CDATA', '<![CDATA[]]>'],
].map(([what = '', cut = '']) => ({
  row: 'S47' as const,
  name: `${what} in the NameID`,
  reason: 'message_has_declarations' as const,
  forge: (lab: Lab) => {
    const xml = honestXml({ ...lab, nameId: `${target}.evil.test` });
    return encode(replaced(xml, `>${target}.evil.test<`, `>${target}${cut}.evil.test<`));
  },
}));

/** Encrypted parts for a connection without decryption keys. They are refused regardless of the algorithm. */
const encrypted: Attack[] = [
  ['rsa-1_5 and AES-128-CBC', 'rsa-1_5', 'aes128-cbc'],
  ['rsa-oaep and AES-256-CBC', 'rsa-oaep-mgf1p', 'aes256-cbc'],
].map(([name = '', transport = '', cipher = '']) => ({
  row: 'S48' as const,
  name: `an assertion encrypted with ${name}`,
  reason: 'encrypted' as const,
  forge: (lab: Lab) => {
    const draft = draftResponse(lab);
    const data = `<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"><xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#${cipher}"/><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#${transport}"/></xenc:EncryptedKey></xenc:EncryptedData>`;
    const xml = honestXml(lab, draft, { what: 'Response' });
    return encode(
      replaced(
        xml,
        /<saml:Assertion .*<\/saml:Assertion>/s,
        `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`,
      ),
    );
  },
}));

export const claimAttacks: readonly Attack[] = [
  ...issuersAndAudiences,
  ...requestsAndStatus,
  ...times,
  ...subjects,
  ...splitNames,
  ...encrypted,
  claim('an encrypted NameID', 'encrypted', () => ({ nameId: '<saml:EncryptedID/>' }), 'S48'),
];
