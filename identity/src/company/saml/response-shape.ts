import { readEncrypted } from './decrypt-assertion.ts';
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

/** A response before its signature is verified: its content is not trusted. */
export type ResponseShape = PlainShape | EncryptedShape;

export type PlainShape = {
  response: XmlElement;
  assertion: XmlElement;
  isResponseSigned: boolean;
  isAssertionSigned: boolean;
};

/** The assertion is encrypted, so the response itself is signed. */
export type EncryptedShape = { response: XmlElement; encryptedAssertion: XmlElement };

/**
 * Requires one response with one assertion in its place, unique ids, and a signature of the response, the assertion or
 * both. Signature wrapping (XSW 1-8) needs a second assertion, a second response, a duplicate id, or a signature
 * outside the element it signs; each of these is rejected.
 */
export function readResponseShape(response: XmlElement): ResponseShape {
  const encryptedAssertion = findOnlyChild(response, assertionNamespace, 'EncryptedAssertion');
  if (encryptedAssertion !== undefined) return readEncryptedShape(response, encryptedAssertion);
  const shape = readPlainShape(response);
  if (!shape.isResponseSigned && !shape.isAssertionSigned) throw new SamlRefusal('unsigned');
  return shape;
}

/** Performs the structural checks of an unencrypted response, whether it is signed or not. */
export function readPlainShape(response: XmlElement): PlainShape {
  requireNothingEncrypted(response);
  const all = [...descendants(response)];
  // compares only the local name, because another parser might resolve another namespace
  const assertions = all.filter(({ name }) => name === 'Assertion');
  const assertion = findOnlyChild(response, assertionNamespace, 'Assertion');
  if (assertions.length !== 1 || assertion === undefined)
    throw new SamlRefusal('not_one_assertion', `${assertions.length} assertions`);
  if (all.some((element) => element !== response && element.name === 'Response'))
    throw new SamlRefusal('not_a_response', 'a nested response');
  if (assertion.attributes.get('Version') !== '2.0') throw new SamlRefusal('not_a_response', 'Version');
  requireDistinctIds(all, [response, assertion]);
  const signed = requireSignatures(all, [response, assertion]);
  return {
    response,
    assertion,
    isResponseSigned: signed.has(response),
    isAssertionSigned: signed.has(assertion),
  };
}

/**
 * Requires a signed response with one encrypted assertion in its place, no other assertion and nothing else encrypted.
 * Without the signature, an attacker could choose the ciphertext that this service decrypts.
 */
function readEncryptedShape(response: XmlElement, encryptedAssertion: XmlElement): EncryptedShape {
  const all = [...descendants(response)];
  const assertions = all.filter(({ name }) => name === 'Assertion' || name === 'EncryptedAssertion');
  if (assertions.length !== 1) throw new SamlRefusal('not_one_assertion', `${assertions.length} assertions`);
  const within = new Set(descendants(encryptedAssertion));
  for (const element of all) {
    if (element !== response && element.name === 'Response')
      throw new SamlRefusal('not_a_response', 'a nested response');
    if (!within.has(element) && isEncrypted(element)) throw new SamlRefusal('encrypted', element.name);
  }
  readEncrypted(encryptedAssertion);
  requireDistinctIds(all, [response]);
  if (!requireSignatures(all, [response]).has(response)) throw new SamlRefusal('unsigned');
  return { response, encryptedAssertion };
}

/** @throws `otherwise` unless the root is that SAML 2.0 protocol message */
export function requireProtocolMessage(root: XmlElement, name: string, otherwise: SamlRefusalReason): void {
  const { namespace, attributes } = root;
  if (namespace !== protocolNamespace || root.name !== name || attributes.get('Version') !== '2.0')
    throw new SamlRefusal(otherwise, 'root');
}

/** Of all elements that can be encrypted, only a response's assertion is ever decrypted (docs/decisions/051). */
export function requireNothingEncrypted(root: XmlElement): void {
  for (const element of descendants(root)) {
    if (isEncrypted(element)) throw new SamlRefusal('encrypted', element.name);
  }
}

const isEncrypted = ({ namespace, name }: XmlElement): boolean =>
  namespace === encryptionNamespace || name.startsWith('Encrypted');

export function requireDistinctIds(all: readonly XmlElement[], needed: readonly XmlElement[]): void {
  const ids = all.flatMap((element) => element.ids);
  if (new Set(ids).size !== ids.length) throw new SamlRefusal('id_missing_or_repeated', 'repeated');
  for (const { attributes, ids: own, name } of needed) {
    const id = attributes.get('ID');
    // Requires an XML name (NCName): it contains no quotes that could break out of an XPath query.
    if (id === undefined || !/^[A-Za-z_][\w.-]{0,255}$/.test(id) || own.length !== 1)
      throw new SamlRefusal('id_missing_or_repeated', name);
  }
}

/** Returns the signed elements among those that can have a signature. */
function requireSignatures(
  all: readonly XmlElement[],
  signable: readonly XmlElement[],
): ReadonlySet<XmlElement> {
  const everywhere = all.filter(
    ({ name, namespace }) =>
      name === 'Signature' || (namespace === signatureNamespace && name === 'SignedInfo'),
  );
  const placed = new Map<XmlElement, XmlElement>();
  for (const element of signable) {
    const [signature, ...more] = signaturesOf(element);
    if (more.length > 0) throw new SamlRefusal('signature_misplaced', 'more than one');
    if (signature !== undefined) placed.set(signature, element);
  }
  if (everywhere.some((element) => element.name === 'Signature' && !placed.has(element)))
    throw new SamlRefusal('signature_misplaced', 'outside the element that it signs');
  for (const [signature, element] of placed) requireSignatureShape(signature, element);
  return new Set(placed.values());
}
