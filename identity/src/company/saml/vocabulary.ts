/** Namespaces and names of SAML 2.0 (saml-core-2.0-os, saml-bindings-2.0-os) and of XML signatures (xmldsig-core1). */
export const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
export const encryptionNamespace = 'http://www.w3.org/2001/04/xmlenc#';

export const successStatus = 'urn:oasis:names:tc:SAML:2.0:status:Success';
export const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

export const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
export const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export const nameIdFormats = {
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const;

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const rsaSha512 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512';

/** The supported signature algorithms, with Node's names. SHA-1, MD5 and HMAC are not supported. */
export const signatureAlgorithms: ReadonlyMap<string, string> = new Map([
  [rsaSha256, 'RSA-SHA256'],
  [rsaSha512, 'RSA-SHA512'],
]);
export const digestAlgorithms: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

export const digestSha1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
export const digestSha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const maskSha256 = 'http://www.w3.org/2009/xmlenc11#mgf1sha256';
/** RSA-OAEP with its hash. RSA 1.5 is not supported. */
export const keyEncryptionAlgorithms: ReadonlyMap<string, 'sha1' | 'sha256'> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p', 'sha1'],
  ['http://www.w3.org/2009/xmlenc11#rsa-oaep', 'sha256'],
]);
/** AES-GCM with Node's names. CBC is not supported. */
export const contentEncryptionAlgorithms: ReadonlyMap<string, 'aes-128-gcm' | 'aes-256-gcm'> = new Map([
  ['http://www.w3.org/2009/xmlenc11#aes256-gcm', 'aes-256-gcm'],
  ['http://www.w3.org/2009/xmlenc11#aes128-gcm', 'aes-128-gcm'],
]);

export const exclusiveCanonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/**
 * The qualifiers of a NameID. A provider finds its session only by an identical NameID (saml-core, 3.7.3.1), so a
 * logout request repeats the qualifiers. Only their names are stored, because `requireNameId` accepts only one value
 * for each.
 */
export const qualifierNames = ['NameQualifier', 'SPNameQualifier'] as const;
export type QualifierName = (typeof qualifierNames)[number];
