import { escapeMarkup } from '../../lib/escape-markup.ts';
import type { SamlConnection } from '../connection.ts';
import { certificateOf } from './own-keys.ts';
import type { SamlSigningKey } from './own-keys.ts';
import {
  contentEncryptionAlgorithms,
  keyEncryptionAlgorithms,
  postBinding,
  protocolNamespace,
  redirectBinding,
} from './vocabulary.ts';

/** The assertion consumer service. All connections share it: the answered request identifies the connection. */
export const acsPath = '/saml/acs';
/** The single logout service of both bindings; the connection's name follows as the last segment. */
export const singleLogoutPath = '/saml/slo';

/** Serves the form that sends a request to a provider with the POST binding. */
export const signInFormPath = '/saml/request';

/** The identifiers and keys that this service presents to one identity provider. */
export type ServiceProvider = {
  /** Different for each connection, so that a message for one organisation is never valid for another. */
  entityId: string;
  acsUrl: string;
  singleLogoutUrl: string;
  /** The current key first; empty if the service has no RSA key. */
  signing: readonly SamlSigningKey[];
};

export function describeServiceProvider(
  publicUrl: string,
  connection: Pick<SamlConnection, 'name'>,
  signing: readonly SamlSigningKey[] = [],
): ServiceProvider {
  return {
    entityId: `${publicUrl}/saml/connections/${connection.name}`,
    acsUrl: `${publicUrl}${acsPath}`,
    singleLogoutUrl: `${publicUrl}${singleLogoutPath}/${connection.name}`,
    signing,
  };
}

/**
 * The service provider's metadata (saml-metadata-2.0-os). The metadata of node-saml is not usable: it lists only one
 * binding for single logout, and states that requests are unsigned.
 */
export function writeMetadata(
  serviceProvider: ServiceProvider,
  { settings, decryptionKeys }: SamlConnection,
): string {
  const { entityId, acsUrl, singleLogoutUrl, signing } = serviceProvider;
  const keys = [
    ...signing.map(({ certificate }) => describeKey('signing', certificate)),
    // only the current key, because a provider encrypts for the first key that it finds
    ...decryptionKeys
      .slice(0, 1)
      .map((key) => describeKey('encryption', certificateOf(key), encryptionMethods)),
  ];
  const logouts = [redirectBinding, postBinding].map(
    (binding) =>
      `    <SingleLogoutService Binding="${binding}" Location="${escapeMarkup(singleLogoutUrl)}"/>`,
  );
  const formats =
    settings.nameIdFormat === undefined
      ? []
      : [`    <NameIDFormat>${escapeMarkup(settings.nameIdFormat)}</NameIDFormat>`];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeMarkup(entityId)}">`,
    `  <SPSSODescriptor AuthnRequestsSigned="${signing.length > 0}" WantAssertionsSigned="true" protocolSupportEnumeration="${protocolNamespace}">`,
    ...keys,
    ...logouts,
    ...formats,
    `    <AssertionConsumerService index="0" isDefault="true" Binding="${postBinding}" Location="${escapeMarkup(acsUrl)}"/>`,
    '  </SPSSODescriptor>',
    '</EntityDescriptor>',
    '',
  ].join('\n');
}

/** The encryption algorithms that this service supports (saml-metadata, 2.4.1.1), in order of preference. */
const encryptionMethods = [...contentEncryptionAlgorithms.keys(), ...keyEncryptionAlgorithms.keys()]
  .map((algorithm) => `<EncryptionMethod Algorithm="${algorithm}"/>`)
  .join('');

const describeKey = (use: 'signing' | 'encryption', certificate: string, methods = ''): string =>
  `    <KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${withoutFrame(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${methods}</KeyDescriptor>`;

const withoutFrame = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
