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

/** The signatures that stand directly in an element. */
export const signaturesOf = (element: XmlElement): XmlElement[] =>
  childrenOf(element, signatureNamespace, 'Signature');

/**
 * What a signature must look like before anybody computes anything: one SignedInfo, one reference, to the element that it stands in,
 * by algorithms of our list (RSA with SHA-256 or better; what is not on it is not known here). `KeyInfo` may stand there, and
 * nothing of it is read: the keys are the connection's.
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

/** Whoever looks for the first one of a name at any depth must find the one that counts. */
function requireOneOfEach(signature: XmlElement): void {
  for (const name of ['SignedInfo', 'SignatureValue', 'SignatureMethod', 'Reference', 'DigestValue']) {
    const found = [...descendants(signature)].filter((element) => element.name === name);
    if (found.length !== 1) throw new SamlRefusal('signature_shape', `${found.length} of ${name}`);
  }
}

function requireReference(reference: XmlElement, signed: XmlElement): void {
  const id = signed.attributes.get('ID');
  if (id === undefined || reference.attributes.get('URI') !== `#${id}`) throw new SamlRefusal('reference');
  const transforms = childrenOf(requireChild(reference, 'Transforms'), signatureNamespace, 'Transform').map(
    algorithmOf,
  );
  // both, and in this order: what is left out would be filled in with something else
  if (transforms.join(' ') !== `${envelopedSignature} ${exclusiveCanonicalization}`)
    throw new SamlRefusal('transforms');
  if (!digestAlgorithms.has(algorithmOf(requireChild(reference, 'DigestMethod'))))
    throw new SamlRefusal('digest_algorithm');
  requireText(reference, 'DigestValue');
}

function requireChild(element: XmlElement, name: string): XmlElement {
  const child = findOnlyChild(element, signatureNamespace, name);
  if (child === undefined) throw new SamlRefusal('signature_shape', `not one ${name}`);
  return child;
}

function requireText(element: XmlElement, name: string): void {
  if (findText(requireChild(element, name)) === undefined) throw new SamlRefusal('signature_shape', name);
}

const algorithmOf = (element: XmlElement): string => element.attributes.get('Algorithm') ?? '';
