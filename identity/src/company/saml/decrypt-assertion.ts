import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { decodeBase64, decodeText } from './decode.ts';
import { SamlRefusal } from './refusal.ts';
import {
  contentEncryptionAlgorithms,
  digestSha1,
  digestSha256,
  encryptionNamespace,
  keyEncryptionAlgorithms,
  maskSha256,
  signatureNamespace,
} from './vocabulary.ts';
import { childrenOf, descendants, findOnlyChild, findText } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** The parts of an EncryptedAssertion (xmlenc-core1), with supported algorithms only. */
type Encrypted = {
  /** The content key, encrypted with RSA-OAEP; `oaepHash` is also the hash of the mask generation function. */
  key: Buffer;
  oaepHash: 'sha1' | 'sha256';
  cipher: 'aes-128-gcm' | 'aes-256-gcm';
  /** A 12-byte initialisation vector, the ciphertext, and a 16-byte tag. */
  content: Buffer;
};

const ivBytes = 12;
const tagBytes = 16;

/**
 * Parses one EncryptedData that contains one EncryptedKey, without decrypting. Supports only RSA-OAEP and AES-GCM: RSA
 * 1.5 and CBC reveal the plaintext to an attacker who sends enough variations (Bleichenbacher, Vaudenay).
 * @throws SamlRefusal `encrypted`
 */
export function readEncrypted(element: XmlElement): Encrypted {
  for (const name of ['EncryptedData', 'EncryptedKey']) {
    if ([...descendants(element)].filter((one) => one.name === name).length !== 1) refuse(`not one ${name}`);
  }
  const data = requireChild(element, encryptionNamespace, 'EncryptedData');
  const keyInfo = requireChild(data, signatureNamespace, 'KeyInfo');
  const encryptedKey = requireChild(keyInfo, encryptionNamespace, 'EncryptedKey');
  const method = requireChild(data, encryptionNamespace, 'EncryptionMethod');
  const cipher = contentEncryptionAlgorithms.get(algorithmOf(method)) ?? refuse('content encryption');
  return {
    key: readCipherValue(encryptedKey),
    oaepHash: readOaepHash(requireChild(encryptedKey, encryptionNamespace, 'EncryptionMethod')),
    cipher,
    content: readCipherValue(data),
  };
}

/**
 * Decrypts the assertion with the first key that fits. Call this only after the response's signature has been
 * verified, so that only the identity provider can have ciphertexts decrypted.
 * @param keys PEM, PKCS #8
 * @throws SamlRefusal `decryption`, the same for every cause
 */
export function decryptAssertion(encrypted: Encrypted, keys: readonly string[]): string {
  for (const key of keys) {
    const text = tryKey(encrypted, key);
    if (text !== undefined) return text;
  }
  throw new SamlRefusal('decryption');
}

function tryKey({ key, oaepHash, cipher, content }: Encrypted, privateKey: string): string | undefined {
  try {
    const contentKey = privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash },
      key,
    );
    const decipher = createDecipheriv(cipher, contentKey, content.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(content.subarray(-tagBytes));
    return decodeText(
      Buffer.concat([decipher.update(content.subarray(ivBytes, -tagBytes)), decipher.final()]),
    );
  } catch {
    return undefined;
  }
}

/**
 * Returns the hash of RSA-OAEP. The algorithm of 2001 always uses MGF1 with SHA-1; in xmlenc 1.1 the message names the
 * hash and the mask generation function.
 */
function readOaepHash(method: XmlElement): Encrypted['oaepHash'] {
  const hash = keyEncryptionAlgorithms.get(algorithmOf(method)) ?? refuse('key encryption');
  const [digest, ...moreDigests] = childrenOf(method, signatureNamespace, 'DigestMethod').map(algorithmOf);
  const [mask, ...moreMasks] = method.children.filter(({ name }) => name === 'MGF').map(algorithmOf);
  const parts = [digest, ...moreDigests, mask, ...moreMasks].filter((part) => part !== undefined);
  const isComplete =
    hash === 'sha1'
      ? mask === undefined && (digest === undefined || digest === digestSha1)
      : mask === maskSha256 && digest === digestSha256;
  // rejects unsupported elements, such as OAEPparams
  if (!isComplete || method.children.length !== parts.length) refuse('key encryption');
  return hash;
}

function readCipherValue(element: XmlElement): Buffer {
  const data = requireChild(element, encryptionNamespace, 'CipherData');
  const value = findText(requireChild(data, encryptionNamespace, 'CipherValue'));
  try {
    return decodeBase64((value ?? '').replace(/\s+/g, ''));
  } catch {
    return refuse('CipherValue');
  }
}

function requireChild(element: XmlElement, namespace: string, name: string): XmlElement {
  return findOnlyChild(element, namespace, name) ?? refuse(`not one ${name}`);
}

const algorithmOf = (element: XmlElement): string => element.attributes.get('Algorithm') ?? '';

function refuse(detail: string): never {
  throw new SamlRefusal('encrypted', detail);
}
