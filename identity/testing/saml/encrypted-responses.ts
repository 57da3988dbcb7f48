import {
  constants,
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { honestXml, piece, replaced, signaturePattern, target } from './lab.ts';
import type { Attack, Lab } from './lab.ts';
import { draftResponse, encode, renderAssertion, renderResponse, sign } from './responses.ts';

const pem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

/** The two keys of the service, the present one first, and a key of another service. */
export const [decryptionKey, previousKey, foreignKey] = [pem(), pem(), pem()] as const;

type Choices = {
  key?: string;
  /** The local name of the algorithm in xmlenc. */
  cipher?: 'aes128-gcm' | 'aes256-gcm' | 'aes256-cbc' | 'tripledes-cbc';
  transport?: 'rsa-oaep-mgf1p' | 'rsa-oaep' | 'rsa-1_5';
  /** Changes initialisation vector, ciphertext and tag. */
  change?: (content: Buffer) => Buffer;
  contentKeyBytes?: number;
};

const nodeCiphers = {
  'aes128-gcm': ['aes-128-gcm', 16, 12],
  'aes256-gcm': ['aes-256-gcm', 32, 12],
  'aes256-cbc': ['aes-256-cbc', 32, 16],
  'tripledes-cbc': ['des-ede3-cbc', 24, 8],
} as const;

const namespaces = { 1: 'http://www.w3.org/2001/04/xmlenc#', 11: 'http://www.w3.org/2009/xmlenc11#' };

/** Builds an EncryptedAssertion. */
export function encryptAssertion(assertion: string, choices: Choices = {}): string {
  const { key = decryptionKey, cipher = 'aes256-gcm', transport = 'rsa-oaep-mgf1p', change } = choices;
  const [name, keyBytes, ivBytes] = nodeCiphers[cipher];
  const contentKey = randomBytes(keyBytes);
  const iv = randomBytes(ivBytes);
  const encryptor = createCipheriv(name, contentKey, iv);
  const parts = [iv, encryptor.update(assertion), encryptor.final()];
  const content = Buffer.concat(
    'getAuthTag' in encryptor && cipher.endsWith('gcm') ? [...parts, tagOf(encryptor)] : parts,
  );
  const encryptedKey = publicEncrypt(
    {
      key: createPublicKey(key),
      padding: transport === 'rsa-1_5' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: transport === 'rsa-oaep' ? 'sha256' : 'sha1',
    },
    contentKey.subarray(0, choices.contentKeyBytes),
  );
  const hash =
    transport === 'rsa-oaep'
      ? `<ds:DigestMethod Algorithm="${namespaces[1]}sha256"/><xenc11:MGF xmlns:xenc11="${namespaces[11]}" Algorithm="${namespaces[11]}mgf1sha256"/>`
      : '';
  const value = (bytes: Buffer): string =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`;
  const contentMethod = `${namespaces[cipher.endsWith('gcm') ? 11 : 1]}${cipher}`;
  const keyMethod = `${namespaces[transport === 'rsa-oaep' ? 11 : 1]}${transport}`;
  return [
    '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">',
    `<xenc:EncryptedData Type="${namespaces[1]}Element"><xenc:EncryptionMethod Algorithm="${contentMethod}"/>`,
    `<ds:KeyInfo><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${keyMethod}">${hash}</xenc:EncryptionMethod>${value(encryptedKey)}</xenc:EncryptedKey></ds:KeyInfo>`,
    `${value(change?.(content) ?? content)}</xenc:EncryptedData></saml:EncryptedAssertion>`,
  ].join('');
}

const tagOf = (encryptor: object): Buffer => (encryptor as { getAuthTag: () => Buffer }).getAuthTag();

/** A signed response with an encrypted assertion. */
export function encryptedXml(
  lab: Lab,
  choices: Choices & { assertion?: string; isAssertionSigned?: boolean; signer?: Lab['signer'] } = {},
): string {
  const draft = draftResponse(lab);
  const plain = renderAssertion(draft);
  const assertion = choices.assertion ?? (choices.isAssertionSigned ? sign(plain, lab.signer) : plain);
  const response = renderResponse(draft, encryptAssertion(assertion, choices));
  return sign(response, choices.signer ?? lab.signer, { what: 'Response' });
}

const encryptedPattern = /<saml:EncryptedAssertion .*<\/saml:EncryptedAssertion>/s;

const attack = (name: string, reason: Attack['reason'], forge: (lab: Lab) => string): Attack => ({
  row: 'S48',
  name: `encrypted: ${name}`,
  reason,
  forge: (lab) => encode(forge(lab)),
});

/** Encrypted messages of attackers, who can encrypt because the key is public, and invalid messages of the provider. */
export const encryptedAttacks: readonly Attack[] = [
  attack('RSA 1.5', 'encrypted', (lab) => encryptedXml(lab, { transport: 'rsa-1_5' })),
  attack('AES-CBC', 'encrypted', (lab) => encryptedXml(lab, { cipher: 'aes256-cbc' })),
  attack('triple DES', 'encrypted', (lab) => encryptedXml(lab, { cipher: 'tripledes-cbc' })),
  attack('no signature', 'unsigned', (lab) =>
    renderResponse(draftResponse(lab), encryptAssertion(renderAssertion(draftResponse(lab)))),
  ),
  attack('only the encrypted assertion is signed', 'unsigned', (lab) =>
    replaced(encryptedXml(lab, { isAssertionSigned: true }), signaturePattern, ''),
  ),
  attack('a signature with an unknown key', 'signature_invalid', (lab) =>
    encryptedXml(lab, { signer: lab.stranger }),
  ),
  attack('a signature that refers only to the ciphertext', 'reference', (lab) =>
    replaced(
      replaced(encryptedXml(lab), '<xenc:EncryptedData ', '<xenc:EncryptedData Id="_data" '),
      /URI="#[^"]*"/,
      'URI="#_data"',
    ),
  ),
  attack('a ciphertext of more than 256 kB', 'message_too_large', (lab) =>
    encryptedXml(lab, { change: () => Buffer.alloc(200_000) }),
  ),
  attack('a replaced ciphertext in a signed response', 'signature_invalid', (lab) =>
    replaced(
      encryptedXml(lab),
      encryptedPattern,
      encryptAssertion(renderAssertion({ ...draftResponse(lab), nameId: target })),
    ),
  ),
  attack('an additional plain assertion', 'not_one_assertion', (lab) =>
    sign(
      renderResponse(
        draftResponse(lab),
        encryptAssertion(renderAssertion(draftResponse(lab))) + renderAssertion(draftResponse(lab)),
      ),
      lab.signer,
      { what: 'Response' },
    ),
  ),
  attack('a signed plain assertion and a forged encrypted one', 'not_one_assertion', (lab) =>
    replaced(
      honestXml(lab),
      '</samlp:Response>',
      `${encryptAssertion(renderAssertion({ ...draftResponse(lab), nameId: target }))}</samlp:Response>`,
    ),
  ),
  attack('two encrypted assertions', 'encrypted', (lab) => {
    const one = encryptAssertion(renderAssertion(draftResponse(lab)));
    return sign(renderResponse(draftResponse(lab), one + one), lab.signer, { what: 'Response' });
  }),
  attack('an encrypted assertion inside another element', 'encrypted', (lab) =>
    sign(
      renderResponse(
        draftResponse(lab),
        `<samlp:Extensions>${encryptAssertion(renderAssertion(draftResponse(lab)))}</samlp:Extensions>`,
      ),
      lab.signer,
      { what: 'Response' },
    ),
  ),
  attack('two keys', 'encrypted', (lab) => {
    const xml = renderResponse(draftResponse(lab), encryptAssertion(renderAssertion(draftResponse(lab))));
    const key = piece(xml, /<xenc:EncryptedKey>.*<\/xenc:EncryptedKey>/s);
    return sign(replaced(xml, '</ds:KeyInfo>', `${key}</ds:KeyInfo>`), lab.signer, { what: 'Response' });
  }),
  attack('OAEP with parameters', 'encrypted', (lab) =>
    sign(
      replaced(
        renderResponse(draftResponse(lab), encryptAssertion(renderAssertion(draftResponse(lab)))),
        '#rsa-oaep-mgf1p">',
        '#rsa-oaep-mgf1p"><xenc:OAEPparams>AAAA</xenc:OAEPparams>',
      ),
      lab.signer,
      { what: 'Response' },
    ),
  ),
  attack("for another service's key", 'decryption', (lab) => encryptedXml(lab, { key: foreignKey })),
  attack('a changed bit', 'decryption', (lab) =>
    encryptedXml(lab, {
      change: (content) => Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]),
    }),
  ),
  attack('a shorter tag', 'decryption', (lab) =>
    encryptedXml(lab, { change: (content) => content.subarray(0, -4) }),
  ),
  attack('no content', 'decryption', (lab) => encryptedXml(lab, { change: () => Buffer.alloc(12) })),
  attack('a key that is too short', 'decryption', (lab) => encryptedXml(lab, { contentKeyBytes: 16 })),
  attack('text instead of an assertion', 'message_malformed', (lab) =>
    encryptedXml(lab, { assertion: 'employee' }),
  ),
  attack('another element', 'not_one_assertion', (lab) =>
    encryptedXml(lab, { assertion: '<saml:Advice xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>' }),
  ),
  attack('two assertions', 'message_malformed', (lab) => {
    const one = renderAssertion(draftResponse(lab));
    return encryptedXml(lab, { assertion: one + one });
  }),
  attack('a response that ends early', 'message_malformed', (lab) =>
    encryptedXml(lab, {
      assertion: `</samlp:Response>${renderAssertion({ ...draftResponse(lab), nameId: target })}<samlp:Response>`,
    }),
  ),
  attack('a document type', 'message_has_declarations', (lab) =>
    encryptedXml(lab, { assertion: `<!DOCTYPE x [<!ENTITY e "x">]>${renderAssertion(draftResponse(lab))}` }),
  ),
  attack('encrypted twice', 'encrypted', (lab) =>
    encryptedXml(lab, { assertion: encryptAssertion(renderAssertion(draftResponse(lab))) }),
  ),
  attack('an invalid signature inside', 'signature_invalid', (lab) =>
    encryptedXml(lab, {
      assertion: replaced(
        sign(renderAssertion(draftResponse(lab)), lab.signer),
        /employee@corp\.example<\/saml:NameID>/,
        `${target}</saml:NameID>`,
      ),
    }),
  ),
  attack("another organisation's signature inside", 'signature_invalid', (lab) =>
    encryptedXml(lab, { assertion: sign(renderAssertion(draftResponse(lab)), lab.neighbour) }),
  ),
  attack('for another audience', 'audience', (lab) =>
    encryptedXml({ ...lab, entityId: 'https://elsewhere.example' }),
  ),
  attack('answers another request inside', 'in_response_to', (lab) =>
    encryptedXml(lab, {
      assertion: renderAssertion(draftResponse({ ...lab, requestId: '_another' })),
    }),
  ),
];
