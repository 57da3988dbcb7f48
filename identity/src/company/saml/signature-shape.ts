import { SamlRefusal } from './refusal.ts';
import {
  digestAlgorithms,
  envelopedSignature,
  exclusiveCanonicalization,
  signatureAlgorithms,
  signatureNamespace,
} from './vocabulary.ts';
import { childrenOf, descendants, findOnlyChild, findText } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** The signatures that are direct children of an element. */
export const signaturesOf = (element: XmlElement): XmlElement[] =>
  childrenOf(element, signatureNamespace, 'Signature');

/**
 * Checks a signature's structure before any cryptography: one SignedInfo with one reference, to the parent element,
 * with supported algorithms (RSA with SHA-256 or better). `KeyInfo` is allowed and ignored: the keys come from the
 * connection.
 */
export function requireSignatureShape(signature: XmlElement, signed: XmlElement): void {
  const names = signature.children.map(({ namespace, name }) => `${namespace}${name}`);
  const [info, value, keyInfo, ...more] = names;
  if (
    info !== `${signatureNamespace}SignedInfo` ||
    value !== `${signatureNamespace}SignatureValue` ||
    (keyInfo !== undefined && keyInfo !== `${signatureNamespace}KeyInfo`) ||
    more.length > 0
  ) {
    throw new SamlRefusal('signature_shape');
  }
  requireOneOfEach(signature);
  const signedInfo = requireChild(signature, 'SignedInfo');
  requireText(signature, 'SignatureValue');
  if (algorithmOf(requireChild(signedInfo, 'CanonicalizationMethod')) !== exclusiveCanonicalization)
    throw new SamlRefusal('canonicalization_algorithm');
  if (!signatureAlgorithms.has(algorithmOf(requireChild(signedInfo, 'SignatureMethod'))))
    throw new SamlRefusal('signature_algorithm');
  requireReference(requireChild(signedInfo, 'Reference'), signed);
}

/**
 * Requires one element of each name at any depth, so that a parser that takes the first match finds the right element.
 */
function requireOneOfEach(signature: XmlElement): void {
  for (const name of ['SignedInfo', 'SignatureValue', 'SignatureMethod', 'Reference', 'DigestValue']) {
    const found = [...descendants(signature)].filter((element) => element.name === name);
    if (found.length !== 1) throw new SamlRefusal('signature_shape', `${found.length} elements ${name}`);
  }
}

function requireReference(reference: XmlElement, signed: XmlElement): void {
  const id = signed.attributes.get('ID');
  if (id === undefined || reference.attributes.get('URI') !== `#${id}`) throw new SamlRefusal('reference');
  const transforms = childrenOf(requireChild(reference, 'Transforms'), signatureNamespace, 'Transform').map(
    algorithmOf,
  );
  // Requires both transforms in this order, because the library would insert a default for a missing one.
  if (transforms.join(' ') !== `${envelopedSignature} ${exclusiveCanonicalization}`)
    throw new SamlRefusal('transforms');
  if (!digestAlgorithms.has(algorithmOf(requireChild(reference, 'DigestMethod'))))
    throw new SamlRefusal('digest_algorithm');
  requireText(reference, 'DigestValue');
}

function requireChild(element: XmlElement, name: string): XmlElement {
  const child = findOnlyChild(element, signatureNamespace, name);
  if (child === undefined) throw new SamlRefusal('signature_shape', `not exactly one ${name}`);
  return child;
}

function requireText(element: XmlElement, name: string): void {
  if (findText(requireChild(element, name)) === undefined) throw new SamlRefusal('signature_shape', name);
}

const algorithmOf = (element: XmlElement): string => element.attributes.get('Algorithm') ?? '';
