import type { SamlConnection } from '../connection.ts';
import { certificateOf } from './decryption-keys.ts';
import type { ServiceProvider } from './service-provider.ts';
import {
  contentEncryptionAlgorithms,
  keyEncryptionAlgorithms,
  postBinding,
  protocolNamespace,
  redirectBinding,
} from './vocabulary.ts';

/**
 * How an identity provider gets to know us (saml-metadata-2.0-os). Written here and not by the library, whose own names one binding
 * of single logout alone and says that requests are unsigned before it says that they are signed.
 */
export function writeMetadata(
  provider: ServiceProvider,
  { settings, decryptionKeys }: SamlConnection,
): string {
  const { entityId, acsUrl, singleLogoutUrl, signing } = provider;
  const keys = [
    ...signing.map(({ certificate }) => describeKey('signing', certificate)),
    // the present one alone: a provider encrypts for the first that it finds
    ...decryptionKeys
      .slice(0, 1)
      .map((key) => describeKey('encryption', certificateOf(key), encryptionMethods)),
  ];
  const logouts = [redirectBinding, postBinding].map(
    (binding) => `    <SingleLogoutService Binding="${binding}" Location="${escapeXml(singleLogoutUrl)}"/>`,
  );
  const formats =
    settings.nameIdFormat === undefined
      ? []
      : [`    <NameIDFormat>${escapeXml(settings.nameIdFormat)}</NameIDFormat>`];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeXml(entityId)}">`,
    `  <SPSSODescriptor AuthnRequestsSigned="${signing.length > 0}" WantAssertionsSigned="true" protocolSupportEnumeration="${protocolNamespace}">`,
    ...keys,
    ...logouts,
    ...formats,
    `    <AssertionConsumerService index="0" isDefault="true" Binding="${postBinding}" Location="${escapeXml(acsUrl)}"/>`,
    '  </SPSSODescriptor>',
    '</EntityDescriptor>',
    '',
  ].join('\n');
}

/** What may be used with the key (saml-metadata, 2.4.1.1), in the order in which we would choose. */
const encryptionMethods = [...contentEncryptionAlgorithms.keys(), ...keyEncryptionAlgorithms.keys()]
  .map((algorithm) => `<EncryptionMethod Algorithm="${algorithm}"/>`)
  .join('');

const describeKey = (use: 'signing' | 'encryption', certificate: string, methods = ''): string =>
  `    <KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${withoutFrame(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${methods}</KeyDescriptor>`;

const withoutFrame = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
