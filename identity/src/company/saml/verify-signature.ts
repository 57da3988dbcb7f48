import { createRequire } from 'node:module';
import type { SamlConnection } from '../connection.ts';
import { parseCertificates } from './certificates.ts';
import { createLibrary } from './library.ts';
import { SamlRefusal } from './refusal.ts';
import { decryptAssertion, readEncrypted } from './decrypt-assertion.ts';
import { requireModestMarkup } from './markup.ts';
import { readPlainShape } from './response-shape.ts';
import type { EncryptedShape, PlainShape, ResponseShape } from './response-shape.ts';
import type { ServiceProvider } from './service-provider.ts';
import { assertionNamespace, protocolNamespace } from './vocabulary.ts';
import { findOnlyChild, parseXml } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

// The library decrypts with any algorithm that a message names, and supports only one key. So for an encrypted
// response, this file calls only the library's signature function and decrypts the assertion itself. Loaded with
// `require` and typed here, because importing the library's types would add browser globals to the service.
const require = createRequire(import.meta.url);
const { getVerifiedXml, parseDomFromString } = require('@node-saml/node-saml/lib/xml.js') as {
  parseDomFromString: (xml: string) => Promise<{ documentElement: unknown }>;
  /** The signed bytes of the element; null if no certificate verifies its signature. */
  getVerifiedXml: (xml: string, element: unknown, certificates: readonly string[]) => string | null;
};

/**
 * Verifies every signature of the response with the connection's certificates, and returns the assertion parsed from
 * the signed bytes, which all later checks use (CVE-2025-54419).
 * @throws `signature_invalid`
 */
export async function verifyResponse(
  xml: string,
  shape: ResponseShape,
  connection: SamlConnection,
  serviceProvider: ServiceProvider,
): Promise<XmlElement> {
  return 'assertion' in shape
    ? await verifyPlain(xml, shape, connection, serviceProvider)
    : await verifyEncrypted(xml, shape, connection, serviceProvider);
}

async function verifyPlain(
  xml: string,
  shape: PlainShape,
  connection: SamlConnection,
  serviceProvider: ServiceProvider,
): Promise<XmlElement> {
  const library = createLibrary(connection, serviceProvider, {
    // every signature must be valid: an invalid one next to a valid one means tampering
    signed: { response: shape.isResponseSigned, assertion: shape.isAssertionSigned },
  });
  let signed: string | undefined;
  try {
    const { profile } = await library.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    });
    signed = profile?.getAssertionXml?.();
  } catch (error) {
    throw new SamlRefusal('signature_invalid', undefined, { cause: error });
  }
  if (typeof signed !== 'string')
    throw new SamlRefusal('signature_invalid', 'the signature covers no assertion');
  const assertion = parseXml(signed);
  if (assertion.attributes.get('ID') !== shape.assertion.attributes.get('ID'))
    throw new SamlRefusal('signature_invalid', 'the signature covers another assertion');
  return assertion;
}

/** @throws `encrypted` if the connection has no decryption key; `decryption`; and every reason for a plain assertion */
async function verifyEncrypted(
  xml: string,
  { response }: EncryptedShape,
  connection: SamlConnection,
  serviceProvider: ServiceProvider,
): Promise<XmlElement> {
  if (connection.decryptionKeys.length === 0) throw new SamlRefusal('encrypted');
  const signed = parseXml(await verifyRoot(xml, connection));
  const element = findOnlyChild(signed, assertionNamespace, 'EncryptedAssertion');
  if (element === undefined || signed.attributes.get('ID') !== response.attributes.get('ID'))
    throw new SamlRefusal('signature_invalid', 'the signature covers another response');

  const text = decryptAssertion(readEncrypted(element), connection.decryptionKeys);
  requireModestMarkup(text);
  // The decrypted assertion is wrapped in a response of its own, so that it must pass the structural checks of a plain
  // assertion. If it has a signature, that must be valid too.
  const envelope = `<samlp:Response xmlns:samlp="${protocolNamespace}" ID="_envelope" Version="2.0">${text}</samlp:Response>`;
  const shape = readPlainShape(parseXml(envelope));
  return shape.isAssertionSigned
    ? await verifyPlain(envelope, shape, connection, serviceProvider)
    : shape.assertion;
}

async function verifyRoot(xml: string, { settings }: SamlConnection): Promise<string> {
  const certificates = parseCertificates(settings.certificates).map((certificate) => certificate.toString());
  let signed: string | null;
  try {
    const { documentElement } = await parseDomFromString(xml);
    signed = getVerifiedXml(xml, documentElement, certificates);
  } catch (error) {
    throw new SamlRefusal('signature_invalid', undefined, { cause: error });
  }
  if (signed === null) throw new SamlRefusal('signature_invalid');
  return signed;
}
