import type { SamlConnection } from '../connection.ts';
import { SamlRefusal } from './refusal.ts';
import { assertionNamespace, protocolNamespace, successStatus } from './vocabulary.ts';
import { findOnlyChild, findText } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/**
 * The id of the request that a message answers.
 * @throws `unsolicited` if it answers none
 */
export function requireInResponseTo(response: XmlElement): string {
  const id = response.attributes.get('InResponseTo');
  if (id === undefined || id === '') throw new SamlRefusal('unsolicited');
  return id;
}

/** The text of the Issuer, verified or not. */
export function findIssuer(element: XmlElement): string | undefined {
  return findText(findOnlyChild(element, assertionNamespace, 'Issuer'));
}

/** @throws `issuer` unless the Issuer is the connection's identity provider */
export function requireIssuer(element: XmlElement, connection: SamlConnection): void {
  const issuer = findOnlyChild(element, assertionNamespace, 'Issuer');
  const format = issuer?.attributes.get('Format');
  const isEntity = format === undefined || format === 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
  if (findText(issuer) !== connection.settings.issuer || !isEntity)
    throw new SamlRefusal('issuer', element.name);
}

/** Without this check, a message for another service could be accepted here (saml-bindings, 3.5.5.2). */
export function requireDestination(message: XmlElement, address: string): void {
  if (message.attributes.get('Destination') !== address) throw new SamlRefusal('destination');
}

/** @throws `status_not_success` with the last part of the status if it is a standard code */
export function requireSuccess(response: XmlElement): void {
  const status = findOnlyChild(response, protocolNamespace, 'Status');
  const code = status && findOnlyChild(status, protocolNamespace, 'StatusCode');
  const value = code?.attributes.get('Value');
  if (value === successStatus) return;
  const second = code && findOnlyChild(code, protocolNamespace, 'StatusCode')?.attributes.get('Value');
  const words = [value, second].flatMap(
    (text) => /^urn:oasis:names:tc:SAML:2\.0:status:(\w{1,40})$/.exec(text ?? '')?.[1] ?? [],
  );
  throw new SamlRefusal('status_not_success', words.join(' '));
}
