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

// The library decrypts with whatever algorithm a message names, and knows one key. So an encrypted response is verified by the function that
// the library verifies with, and decrypted here. Its types would declare a browser's globals for the whole service.
const require = createRequire(import.meta.url);
const { getVerifiedXml, parseDomFromString } = require('@node-saml/node-saml/lib/xml.js') as {
  parseDomFromString: (xml: string) => Promise<{ documentElement: unknown }>;
  /** The signed bytes of the element; null when no certificate verifies its signature. */
  getVerifiedXml: (xml: string, element: unknown, certificates: readonly string[]) => string | null;
};

/**
 * Has every signature of the response checked against the connection's certificates, and answers the assertion out of the very
 * bytes that were signed: what is read from here on comes from these (CVE-2025-54419).
 * @throws `signature_invalid`
 */
export async function verifyResponse(
  xml: string,
  shape: ResponseShape,
  connection: SamlConnection,
  provider: ServiceProvider,
): Promise<XmlElement> {
  return 'assertion' in shape
    ? await verifyPlain(xml, shape, connection, provider)
    : await verifyEncrypted(xml, shape, connection, provider);
}

async function verifyPlain(
  xml: string,
  shape: PlainShape,
  connection: SamlConnection,
  provider: ServiceProvider,
): Promise<XmlElement> {
  const library = createLibrary(connection, provider, {
    // each that is there must hold: a broken one beside a good one is a message that somebody has changed
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
  if (typeof signed !== 'string') throw new SamlRefusal('signature_invalid', 'no signed assertion');
  const assertion = parseXml(signed);
  if (assertion.attributes.get('ID') !== shape.assertion.attributes.get('ID'))
    throw new SamlRefusal('signature_invalid', 'another assertion');
  return assertion;
}

/** @throws `encrypted` where encryption was not agreed on; `decryption`; and everything that a plain assertion is refused for. */
async function verifyEncrypted(
  xml: string,
  { response }: EncryptedShape,
  connection: SamlConnection,
  provider: ServiceProvider,
): Promise<XmlElement> {
  if (connection.decryptionKeys.length === 0) throw new SamlRefusal('encrypted');
  const signed = parseXml(await verifyRoot(xml, connection));
  const element = findOnlyChild(signed, assertionNamespace, 'EncryptedAssertion');
  if (element === undefined || signed.attributes.get('ID') !== response.attributes.get('ID'))
    throw new SamlRefusal('signature_invalid', 'another response');

  const text = decryptAssertion(readEncrypted(element), connection.decryptionKeys);
  requireModestMarkup(text);
  // In a response of its own it must have the shape of any other; a signature that it has must be valid too.
  const envelope = `<samlp:Response xmlns:samlp="${protocolNamespace}" ID="_envelope" Version="2.0">${text}</samlp:Response>`;
  const shape = readPlainShape(parseXml(envelope));
  return shape.isAssertionSigned ? await verifyPlain(envelope, shape, connection, provider) : shape.assertion;
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
