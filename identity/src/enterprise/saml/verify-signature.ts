import type { SamlConnection } from '../connection.ts';
import { createLibrary } from './library.ts';
import { SamlRefusal } from './refusal.ts';
import type { ResponseShape } from './response-shape.ts';
import type { ServiceProvider } from './service-provider.ts';
import { parseXml } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

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
