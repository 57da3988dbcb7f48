import { hasControlCharacter } from '../../lib/control-characters.ts';
import type { SamlConnection } from '../connection.ts';
import { SamlRefusal } from './refusal.ts';
import { assertionNamespace, nameIdFormats, qualifierNames } from './vocabulary.ts';
import type { QualifierName } from './vocabulary.ts';
import { findOnlyChild, findText } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** The limit of a persistent NameID (saml-core, 8.3.7). */
const longestNameId = 256;

/** @throws `name_id_missing` unless the assertion has exactly one subject */
export function requireSubject(assertion: XmlElement): XmlElement {
  const subject = findOnlyChild(assertion, assertionNamespace, 'Subject');
  if (subject === undefined) throw new SamlRefusal('name_id_missing', 'not exactly one subject');
  return subject;
}

/**
 * The user's identifier: the text of the NameID element only, never an attribute of that name. The text is used
 * unchanged, because trimming could turn it into another user's identifier.
 * @throws `name_id_missing`, `name_id_malformed`, `name_id_format`, `name_id_qualifier`
 */
export function requireNameId(holder: XmlElement, connection: SamlConnection, entityId: string): string {
  const element = findOnlyChild(holder, assertionNamespace, 'NameID');
  if (element === undefined) throw new SamlRefusal('name_id_missing');
  const nameId = findText(element);
  if (
    nameId === undefined ||
    nameId.trim() !== nameId ||
    nameId.length > longestNameId ||
    hasControlCharacter(nameId)
  )
    throw new SamlRefusal('name_id_malformed');
  requireFormat(element.attributes.get('Format') ?? nameIdFormats.unspecified, connection);
  const { issuer } = connection.settings;
  if ((element.attributes.get('NameQualifier') ?? issuer) !== issuer)
    throw new SamlRefusal('name_id_qualifier', 'NameQualifier');
  if ((element.attributes.get('SPNameQualifier') ?? entityId) !== entityId)
    throw new SamlRefusal('name_id_qualifier', 'SPNameQualifier');
  return nameId;
}

/** The qualifiers of the NameID. */
export function findQualifiers(holder: XmlElement): QualifierName[] {
  const element = findOnlyChild(holder, assertionNamespace, 'NameID');
  return qualifierNames.filter((name) => element?.attributes.has(name));
}

/** A transient NameID changes with each sign-in, so it cannot identify a returning user. */
function requireFormat(format: string, { settings }: SamlConnection): void {
  if (format === nameIdFormats.transient) throw new SamlRefusal('name_id_format', 'transient');
  if (settings.nameIdFormat !== undefined && format !== settings.nameIdFormat)
    throw new SamlRefusal('name_id_format', 'not the configured format');
}
