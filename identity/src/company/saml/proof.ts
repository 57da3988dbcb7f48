import { hasControlCharacter } from '../../lib/control-characters.ts';
import type { ExternalProof, SamlConnection } from '../connection.ts';
import type { Authentication } from './authentication-statement.ts';
import type { QualifierName } from './vocabulary.ts';
import type { XmlElement } from './xml-tree.ts';
import { assertionNamespace } from './vocabulary.ts';
import { childrenOf, findText } from './xml-tree.ts';

/** The length of the database columns; a longer text is neither a name nor an address. */
const longestText = 200;
const looksLikeEmail = /^[^\s@]{1,100}@[^\s@]{1,100}$/;

/** Converts a validated assertion into the proof that all kinds of provider share. */
export function toProof(
  assertion: XmlElement,
  { nameId, subjectQualifiers }: { nameId: string; subjectQualifiers: QualifierName[] },
  { authenticatedAt, sessionIndex }: Authentication,
  { settings }: SamlConnection,
): ExternalProof {
  const attributes = readAttributes(assertion);
  const find = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : attributes.get(name);
    return value === undefined || value.length > longestText || hasControlCharacter(value)
      ? undefined
      : value;
  };
  const address = settings.emailAttribute === undefined ? nameId : find(settings.emailAttribute);
  const email = address !== undefined && looksLikeEmail.test(address) ? address : undefined;
  return {
    subject: nameId,
    email,
    // The organisation has signed the address; `findUserOf` accepts it only for the connection's own domains.
    emailVerified: email !== undefined,
    emailClaim: settings.emailAttribute ?? 'NameID',
    firstName: find(settings.firstNameAttribute),
    lastName: find(settings.lastNameAttribute),
    authenticatedAt,
    sessionIndex,
    subjectQualifiers,
    idToken: undefined,
  };
}

/** The attributes of the assertion by name. A map, so that `__proto__` is an ordinary name. */
function readAttributes(assertion: XmlElement): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const statement of childrenOf(assertion, assertionNamespace, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, assertionNamespace, 'Attribute')) {
      const name = attribute.attributes.get('Name');
      const value = findFirstText(attribute);
      // only the first attribute of a name counts
      if (name !== undefined && value !== undefined && !attributes.has(name)) attributes.set(name, value);
    }
  }
  return attributes;
}

function findFirstText(attribute: XmlElement): string | undefined {
  for (const value of childrenOf(attribute, assertionNamespace, 'AttributeValue')) {
    const text = findText(value)?.trim();
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}
