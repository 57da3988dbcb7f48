import { SamlRefusal } from './refusal.ts';
import { findTime, requireBegun, requireNotOver } from './timestamps.ts';
import { assertionNamespace } from './vocabulary.ts';
import { childrenOf, findOnlyChild } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** Those that ask nothing of us which we do not do anyway: every assertion is good once, and handed on to nobody. */
const known = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

/**
 * An assertion must say for whom it is, and that must be us. A condition that we do not know makes it void (saml-core, 2.5.1.1).
 * @throws `conditions`, `audience`, `not_yet_valid`, `expired`
 */
export function requireConditions(assertion: XmlElement, entityId: string, now: Date): void {
  const conditions = findOnlyChild(assertion, assertionNamespace, 'Conditions');
  if (conditions === undefined) throw new SamlRefusal('conditions', 'not one');
  if (conditions.children.some(({ namespace, name }) => namespace !== assertionNamespace || !known.has(name)))
    throw new SamlRefusal('conditions', 'unknown');
  requireBegun(findTime(conditions.attributes.get('NotBefore'), 'Conditions'), now, 'Conditions');
  const end = findTime(conditions.attributes.get('NotOnOrAfter'), 'Conditions');
  if (end !== undefined) requireNotOver(end, now, 'Conditions');
  requireAudience(conditions, entityId);
}

/** Each restriction must name us; several of them narrow (saml-core, 2.5.1.4). */
function requireAudience(conditions: XmlElement, entityId: string): void {
  const restrictions = childrenOf(conditions, assertionNamespace, 'AudienceRestriction');
  const named = restrictions.every((restriction) =>
    childrenOf(restriction, assertionNamespace, 'Audience').some(
      ({ text, children }) => children.length === 0 && text === entityId,
    ),
  );
  if (restrictions.length === 0 || !named) throw new SamlRefusal('audience');
}
