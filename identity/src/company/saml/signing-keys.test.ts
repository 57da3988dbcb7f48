import { X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestKeys } from '../../../testing/application.ts';
import { createKeysWithRsa } from '../../../testing/saml/keys.ts';
import type { SamlConnection } from '../connection.ts';
import { createLibrary } from './library.ts';
import { writeMetadata, describeServiceProvider } from './service-provider.ts';
import { createSelfSignedCertificate, deriveSamlSigningKeys } from './own-keys.ts';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const connection: SamlConnection = {
  id: 'c1',
  name: 'corp',
  displayName: 'Corp & <Sons>',
  kind: 'saml',
  provisioning: 'none',
  emailDomains: [],
  decryptionKeys: [],
  settings: {
    issuer: 'https://idp.corp.example',
    entryPoint: 'https://idp.corp.example/sso',
    certificates: [createSelfSignedCertificate(rsa(), 'idp')],
    nameIdFormat: 'urn:x?a=1&b="2"',
  },
};

test('the certificate is self-signed, the same on each call, and readable by Node', () => {
  const key = rsa();
  const text = createSelfSignedCertificate(key, 'Anteroom');
  const certificate = new X509Certificate(text);
  expect(certificate.subject).toBe('CN=Anteroom');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(createSelfSignedCertificate(key, 'Anteroom')).toBe(text);
});

test('only RSA keys of the service sign', () => {
  const keys = createKeysWithRsa();
  const [first, ...more] = deriveSamlSigningKeys(keys);
  expect(more).toEqual([]);
  const jwk = keys.signing.keys.find(({ kty }) => kty === 'RSA')!;
  expect(
    new X509Certificate(first!.certificate).checkPrivateKey(createPrivateKey({ key: jwk, format: 'jwk' })),
  ).toBe(true);
});

test('the metadata is XML and lists every key, so that the next key is known before it signs', () => {
  const signing = [
    ...deriveSamlSigningKeys(createKeysWithRsa()),
    ...deriveSamlSigningKeys(createKeysWithRsa()),
  ];
  const metadata = writeMetadata(
    describeServiceProvider('https://id.example', connection, signing),
    connection,
  );
  expect(metadata.match(/<KeyDescriptor use="signing">/g)).toHaveLength(2);
  expect(metadata).toContain('<NameIDFormat>urn:x?a=1&amp;b=&quot;2&quot;</NameIDFormat>');
});

test('without an RSA key requests are unsigned, and the metadata says so', async () => {
  const signing = deriveSamlSigningKeys(createTestKeys());
  expect(signing).toEqual([]);
  const serviceProvider = describeServiceProvider('https://id.example', connection, signing);
  expect(writeMetadata(serviceProvider, connection)).toContain('AuthnRequestsSigned="false"');
  const address = new URL(
    await createLibrary(connection, serviceProvider).getAuthorizeUrlAsync('', undefined, {}),
  );
  expect([...address.searchParams.keys()]).toEqual(['SAMLRequest']);
});
