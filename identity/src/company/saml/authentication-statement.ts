import { SamlRefusal } from './refusal.ts';
import { findTime, parseTime, requireIssuedBetween, requireNotOver, requireSince } from './timestamps.ts';
import { assertionNamespace } from './vocabulary.ts';
import { childrenOf } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

const longestSessionIndex = 256;
const longAgo = new Date(0);

/** When the user authenticated at the identity provider, and in which session. */
export type Authentication = { authenticatedAt: Date; sessionIndex: string | undefined };

/**
 * Requires an authentication statement: without one, an assertion identifies a user but does not authenticate them
 * (saml-profiles, 4.1.4.2). `provedSince`: set if a fresh authentication was requested; an older session at the
 * identity provider is not enough.
 * @throws `authentication_statement_missing`, `authentication_too_old`, `issued_in_the_future`, `expired`
 */
export function requireAuthentication(
  assertion: XmlElement,
  provedSince: Date | undefined,
  now: Date,
): Authentication {
  const [statement] = childrenOf(assertion, assertionNamespace, 'AuthnStatement');
  if (statement === undefined) throw new SamlRefusal('authentication_statement_missing');
  const authenticatedAt = parseTime(statement.attributes.get('AuthnInstant'), 'AuthnInstant');
  requireIssuedBetween(authenticatedAt, longAgo, now, 'AuthnInstant');
  if (provedSince !== undefined)
    requireSince(authenticatedAt, provedSince, 'AuthnInstant', 'authentication_too_old');
  const end = findTime(statement.attributes.get('SessionNotOnOrAfter'), 'SessionNotOnOrAfter');
  if (end !== undefined) requireNotOver(end, now, 'SessionNotOnOrAfter');
  const sessionIndex = statement.attributes.get('SessionIndex');
  if (sessionIndex !== undefined && sessionIndex.length > longestSessionIndex)
    throw new SamlRefusal('authentication_statement_missing', 'SessionIndex is too long');
  return { authenticatedAt, sessionIndex: sessionIndex === '' ? undefined : sessionIndex };
}
