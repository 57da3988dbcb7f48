import { SamlRefusal } from './refusal.ts';
import type { SamlRefusalReason } from './refusal.ts';
import { requireSignatureShape, signaturesOf } from './signature-shape.ts';
import {
  assertionNamespace,
  encryptionNamespace,
  protocolNamespace,
  signatureNamespace,
} from './vocabulary.ts';
import { descendants, findOnlyChild } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** A response before its signature has been checked: nothing in it is true yet. */
export type ResponseShape = {
  response: XmlElement;
  assertion: XmlElement;
  isResponseSigned: boolean;
  isAssertionSigned: boolean;
};

/**
 * One response with one assertion in its place, at least one of them signed, each id there once. Wrapping attacks (XSW 1-8) need a
 * second assertion, a second response, an id twice, or a signature that stands elsewhere than in what it signs; none of these passes.
 */
export function readResponseShape(response: XmlElement): ResponseShape {
  requireNothingEncrypted(response);
  const all = [...descendants(response)];
  // by local name: in which namespace another reader would look is not known
  const assertions = all.filter(({ name }) => name === 'Assertion');
  const assertion = findOnlyChild(response, assertionNamespace, 'Assertion');
  if (assertions.length !== 1 || assertion === undefined)
    throw new SamlRefusal('not_one_assertion', `${assertions.length} assertions`);
  if (all.some((element) => element !== response && element.name === 'Response'))
    throw new SamlRefusal('not_a_response', 'a response within');
  if (assertion.attributes.get('Version') !== '2.0') throw new SamlRefusal('not_a_response', 'Version');
  requireDistinctIds(all, [response, assertion]);
  return { response, assertion, ...requireSignatures(all, response, assertion) };
}

/** @throws `otherwise` unless it is that message of SAML 2.0's protocol. */
export function requireProtocolMessage(root: XmlElement, name: string, otherwise: SamlRefusalReason): void {
  const { namespace, attributes } = root;
  if (namespace !== protocolNamespace || root.name !== name || attributes.get('Version') !== '2.0')
    throw new SamlRefusal(otherwise, 'root');
}

/**
 * Encrypted parts are never decrypted: the message comes over TLS, and the library would take RSA 1.5 and CBC as well, which say to
 * whoever asks often enough what they hold (docs/decisions/019).
 */
export function requireNothingEncrypted(root: XmlElement): void {
  for (const { namespace, name } of descendants(root)) {
    if (namespace === encryptionNamespace || name.startsWith('Encrypted'))
      throw new SamlRefusal('encrypted', name);
  }
}

export function requireDistinctIds(all: readonly XmlElement[], needed: readonly XmlElement[]): void {
  const ids = all.flatMap((element) => element.ids);
  if (new Set(ids).size !== ids.length) throw new SamlRefusal('id_missing_or_repeated', 'repeated');
  for (const { attributes, ids: own, name } of needed) {
    const id = attributes.get('ID');
    // an XML name (NCName), which has no quotes to break out of a query with
    if (id === undefined || !/^[A-Za-z_][\w.-]{0,255}$/.test(id) || own.length !== 1)
      throw new SamlRefusal('id_missing_or_repeated', name);
  }
}

function requireSignatures(
  all: readonly XmlElement[],
  response: XmlElement,
  assertion: XmlElement,
): Pick<ResponseShape, 'isResponseSigned' | 'isAssertionSigned'> {
  const ofResponse = signaturesOf(response);
  const ofAssertion = signaturesOf(assertion);
  const everywhere = all.filter(
    ({ name, namespace }) =>
      name === 'Signature' || (namespace === signatureNamespace && name === 'SignedInfo'),
  );
  if (everywhere.length === 0) throw new SamlRefusal('unsigned');
  const placed = [...ofResponse, ...ofAssertion];
  if (ofResponse.length > 1 || ofAssertion.length > 1)
    throw new SamlRefusal('signature_misplaced', 'more than one');
  if (everywhere.some((element) => element.name === 'Signature' && !placed.includes(element)))
    throw new SamlRefusal('signature_misplaced', 'not in what it signs');
  for (const signature of ofResponse) requireSignatureShape(signature, response);
  for (const signature of ofAssertion) requireSignatureShape(signature, assertion);
  return { isResponseSigned: ofResponse.length === 1, isAssertionSigned: ofAssertion.length === 1 };
}
