import { honest, honestXml, piece, replaced, signaturePattern, target } from './lab.ts';
import type { Attack, Lab } from './lab.ts';
import { algorithms, draftResponse, encode, renderResponse, sign, timeIn } from './responses.ts';

const known = 'employee@corp.example';
const digest = /<ds:DigestValue>(.*?)<\/ds:DigestValue>/;
const signedInfo = /<ds:SignedInfo>.*?<\/ds:SignedInfo>/s;

const signature = (name: string, reason: Attack['reason'], forge: (lab: Lab) => string): Attack => ({
  row: 'S44',
  name,
  reason,
  forge,
});

/** A valid message that is changed after signing. */
const changed = (
  name: string,
  reason: Attack['reason'],
  change: (xml: string, lab: Lab) => string,
  what = 'Assertion',
): Attack => signature(name, reason, (lab) => encode(change(honestXml(lab, {}, { what }), lab)));

/** A message that declares an algorithm other than the one of its signature. */
const claims = (name: string, reason: Attack['reason'], from: string, to: string): Attack =>
  changed(name, reason, (xml) => replaced(xml, from, to));

export const signatureAttacks: readonly Attack[] = [
  signature('no signature at all', 'unsigned', (lab) => encode(renderResponse(draftResponse(lab)))),
  changed('a removed signature', 'unsigned', (xml) => replaced(xml, signaturePattern, '')),
  signature('signed with an unknown key, whose certificate is included', 'signature_invalid', (lab) =>
    encode(sign(renderResponse(draftResponse({ ...lab, nameId: target })), lab.stranger)),
  ),
  signature(
    'signed with an unknown key, with the certificate of the connection',
    'signature_invalid',
    (lab) => {
      const forged = sign(renderResponse(draftResponse(lab)), lab.stranger, { keyInfo: false });
      const keyInfo = piece(honestXml(lab), /<ds:KeyInfo>.*?<\/ds:KeyInfo>/s);
      return encode(replaced(forged, '</ds:SignatureValue>', `</ds:SignatureValue>${keyInfo}`));
    },
  ),
  signature("signed with another organisation's key", 'signature_invalid', (lab) =>
    encode(sign(renderResponse(draftResponse(lab)), lab.neighbour)),
  ),
  signature("the response signed with another organisation's key", 'signature_invalid', (lab) =>
    encode(sign(renderResponse(draftResponse(lab)), lab.neighbour, { what: 'Response' })),
  ),
  changed('a changed NameID in a signed assertion', 'signature_invalid', (xml) =>
    replaced(xml, `>${known}</saml:NameID>`, `>${target}</saml:NameID>`),
  ),
  changed(
    'a changed NameID in a signed response',
    'signature_invalid',
    (xml) => replaced(xml, `>${known}</saml:NameID>`, `>${target}</saml:NameID>`),
    'Response',
  ),
  changed('a changed attribute', 'signature_invalid', (xml) =>
    replaced(xml, `<saml:AttributeValue>${known}`, `<saml:AttributeValue>${target}`),
  ),
  changed('a changed audience', 'signature_invalid', (xml) =>
    replaced(xml, /<saml:Audience>[^<]*/, '<saml:Audience>https://elsewhere.example'),
  ),
  changed('a later expiry', 'signature_invalid', (xml, lab) =>
    replaced(xml, `NotOnOrAfter="${timeIn(lab.now, 5)}"`, `NotOnOrAfter="${timeIn(lab.now, 5000)}"`),
  ),
  signature(
    'an invalid signature of the response around a valid one of the assertion',
    'signature_invalid',
    (lab) => {
      const both = sign(honestXml(lab), lab.signer, { what: 'Response' });
      return encode(replaced(both, 'Version="2.0"', 'Version="2.0" Consent="urn:x"'));
    },
  ),
  signature(
    'a valid signature of the response around an invalid one of the assertion',
    'signature_invalid',
    (lab) => {
      const broken = replaced(honestXml(lab), `>${known}</saml:NameID>`, `>${target}</saml:NameID>`);
      return encode(sign(broken, lab.signer, { what: 'Response' }));
    },
  ),
  changed('a forged SignedInfo before the signed one', 'signature_shape', (xml) => {
    const real = piece(xml, signedInfo);
    return replaced(xml, real, `${replaced(real, digest, '<ds:DigestValue>AAAA</ds:DigestValue>')}${real}`);
  }),
  changed('a forged SignedInfo after the signed one', 'signature_shape', (xml) => {
    const real = piece(xml, signedInfo);
    return replaced(xml, real, `${real}${replaced(real, digest, '<ds:DigestValue>AAAA</ds:DigestValue>')}`);
  }),
  changed('a comment in the DigestValue', 'message_has_declarations', (xml) =>
    replaced(xml, '<ds:DigestValue>', '<ds:DigestValue><!--forged-->'),
  ),
  changed('an element in the DigestValue', 'signature_shape', (xml) =>
    replaced(xml, '<ds:DigestValue>', '<ds:DigestValue><x/>'),
  ),
  changed('two DigestValues', 'signature_shape', (xml) =>
    replaced(xml, '<ds:DigestValue>', '<ds:DigestValue>AAAA</ds:DigestValue><ds:DigestValue>'),
  ),
  changed('two references', 'signature_shape', (xml) => {
    const reference = piece(xml, /<ds:Reference .*?<\/ds:Reference>/s);
    return replaced(xml, reference, `${reference}${reference}`);
  }),
  changed('an empty reference, which means the whole document', 'reference', (xml) =>
    replaced(xml, /<ds:Reference URI="[^"]*"/, '<ds:Reference URI=""'),
  ),
  changed('a reference to an unknown id', 'reference', (xml) =>
    replaced(xml, /<ds:Reference URI="[^"]*"/, '<ds:Reference URI="#_elsewhere"'),
  ),
  changed('a reference with an XPath injection', 'reference', (xml) =>
    replaced(xml, /<ds:Reference URI="[^"]*"/, `<ds:Reference URI="#x' or '1'='1"`),
  ),
  changed('a reference to another document', 'reference', (xml) =>
    replaced(xml, /<ds:Reference URI="[^"]*"/, '<ds:Reference URI="https://evil.test/signed.xml"'),
  ),
  changed('an Object in the signature', 'signature_shape', (xml) =>
    replaced(xml, '</ds:Signature>', '<ds:Object>x</ds:Object></ds:Signature>'),
  ),
  changed('an empty signature', 'signature_shape', (xml) =>
    replaced(xml, /<ds:SignatureValue>.*?<\/ds:SignatureValue>/s, '<ds:SignatureValue></ds:SignatureValue>'),
  ),
  signature('three transforms', 'transforms', (lab) =>
    honest(lab, {}, { transforms: [algorithms.enveloped, algorithms.exclusive, algorithms.exclusive] }),
  ),
  signature('no canonicalisation among the transforms', 'transforms', (lab) =>
    honest(lab, {}, { transforms: [algorithms.enveloped] }),
  ),
  claims(
    'an XSLT transform',
    'transforms',
    `<ds:Transform Algorithm="${algorithms.enveloped}"/>`,
    '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
  ),
  claims(
    'an XPath transform',
    'transforms',
    `<ds:Transform Algorithm="${algorithms.enveloped}"/>`,
    '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/>',
  ),
  signature('another canonicalisation', 'canonicalization_algorithm', (lab) =>
    honest(lab, {}, { canonicalization: algorithms.inclusive }),
  ),
  signature('a canonicalisation that preserves comments', 'canonicalization_algorithm', (lab) =>
    honest(lab, {}, { canonicalization: algorithms.exclusiveWithComments }),
  ),
  signature('an unknown canonicalisation', 'canonicalization_algorithm', (lab) =>
    encode(
      replaced(
        honestXml(lab),
        `<ds:CanonicalizationMethod Algorithm="${algorithms.exclusive}"`,
        '<ds:CanonicalizationMethod Algorithm="urn:void"',
      ),
    ),
  ),
  signature('signed with SHA-1 and the right key', 'signature_algorithm', (lab) =>
    honest(lab, {}, { signatureAlgorithm: algorithms.rsaSha1 }),
  ),
  signature('a SHA-1 digest under a valid signature', 'digest_algorithm', (lab) =>
    honest(lab, {}, { digestAlgorithm: algorithms.sha1 }),
  ),
  signature('HMAC with the certificate as its secret', 'signature_algorithm', (lab) =>
    honest(lab, {}, { hmacSecret: lab.signer.certificate }),
  ),
  ...[
    'http://www.w3.org/2001/04/xmldsig-more#rsa-md5',
    'http://www.w3.org/2000/09/xmldsig#dsa-sha1',
    'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
    'none',
    '',
  ].map((algorithm) =>
    claims(
      `the signature algorithm ${algorithm === '' ? 'left empty' : algorithm}`,
      'signature_algorithm',
      algorithms.rsaSha256,
      algorithm,
    ),
  ),
  claims(
    'an MD5 digest',
    'digest_algorithm',
    algorithms.sha256,
    'http://www.w3.org/2001/04/xmldsig-more#md5',
  ),
];
