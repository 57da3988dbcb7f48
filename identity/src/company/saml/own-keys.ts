import { createPrivateKey, generateKeyPairSync, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Keys } from '../../lib/keys.ts';

/** A key that signs outgoing messages, and its certificate, both as PEM. */
export type SamlSigningKey = { privateKey: string; certificate: string };

/**
 * The keys for outgoing messages: the service's RSA signing keys in their order. All are in the metadata, so providers
 * know the next key before it signs. Other key types are skipped because most identity providers support only RSA.
 * Without an RSA key, requests are unsigned and the metadata says so.
 */
export function deriveSamlSigningKeys({ signing }: Pick<Keys, 'signing'>): SamlSigningKey[] {
  return signing.keys
    .filter(({ kty }) => kty === 'RSA')
    .map((jwk) => {
      const key = createPrivateKey({ key: jwk, format: 'jwk' });
      return {
        privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
        certificate: createSelfSignedCertificate(key, 'Anteroom'),
      };
    });
}

/**
 * The current and the previous key. The previous key stays, because a provider reads the metadata once a day at most,
 * or only when its operator does so by hand.
 */
const mostKeys = 2;

/**
 * Puts a new RSA key before the connection's existing keys and returns them as PEM blocks. The key never signs: with
 * one key for both, an attacker could abuse decryption to forge signatures.
 */
export function addDecryptionKey(present: string | undefined): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const added = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return [added, ...parseDecryptionKeys(present ?? '')].slice(0, mostKeys).join('');
}

/** Splits PEM blocks; the current key is first. */
export function parseDecryptionKeys(text: string): string[] {
  return text.match(/-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n/g) ?? [];
}

/** The certificate for the metadata, as PEM. */
export function certificateOf(key: string): string {
  return createSelfSignedCertificate(createPrivateKey(key), 'Anteroom');
}

// Metadata requires each key in an X.509 certificate (RFC 5280). This code encodes it in DER, because Node cannot
// create certificates and a library would be ten times as large. No party checks the names or dates in it.

const oid = {
  commonName: '550403',
  sha256WithRsa: '2a864886f70d01010b',
};

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
};

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return [0x80 | significant.length, ...significant];
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const name = (text: string): Buffer =>
  sequence(der(0x31, sequence(identifier(oid.commonName), der(0x0c, Buffer.from(text)))));
/** RFC 5280, 4.1.2.5: UTCTime until 2049, GeneralizedTime from 2050. */
const utcTime = (time: string): Buffer =>
  der(0x17, Buffer.from(`${time.replace(/\.\d+|\D/g, '').slice(2)}Z`));

/**
 * A self-signed PEM certificate for an RSA key. The same key and name give the same certificate on every node and
 * after every start, because PKCS #1 1.5 is deterministic.
 */
export function createSelfSignedCertificate(
  privateKey: KeyObject,
  commonName: string,
  validTo = '2049-12-31T23:59:59Z',
): string {
  const algorithm = sequence(identifier(oid.sha256WithRsa), der(0x05));
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name(commonName),
    sequence(utcTime('2020-01-01T00:00:00Z'), utcTime(validTo)),
    name(commonName),
    publicKey,
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
