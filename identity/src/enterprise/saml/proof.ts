import { hasControlCharacter } from '../../lib/control-characters.ts';
import type { ExternalProof, SamlConnection } from '../connection.ts';
import { readAttributes } from './attributes.ts';
import type { Authentication } from './authentication-statement.ts';
import type { QualifierName } from './vocabulary.ts';
import type { XmlElement } from './xml-tree.ts';

/** As long as the columns that it ends up in are useful; what is longer is no name and no address. */
const longestText = 200;
const looksLikeEmail = /^[^\s@]{1,100}@[^\s@]{1,100}$/;

/** What a checked assertion says of a person, as the sign-in takes it from any kind of provider. */
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
  const told = settings.emailAttribute === undefined ? nameId : find(settings.emailAttribute);
  const email = told !== undefined && looksLikeEmail.test(told) ? told : undefined;
  return {
    subject: nameId,
    email,
    // what the organisation has signed; `findPersonOf` believes it for the connection's own domains
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
