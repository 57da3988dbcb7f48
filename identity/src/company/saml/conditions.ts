import { SamlRefusal } from './refusal.ts';
import { findTime, requireBegun, requireNotOver } from './timestamps.ts';
import { assertionNamespace } from './vocabulary.ts';
import { childrenOf, findOnlyChild } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** The supported conditions. The last two are always met: an assertion is accepted once and never forwarded. */
const known = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

/**
 * Requires an audience restriction that names this service. An unknown condition invalidates the assertion (saml-core,
 * 2.5.1.1).
 * @throws `conditions`, `audience`, `not_yet_valid`, `expired`
 */
export function requireConditions(assertion: XmlElement, entityId: string, now: Date): void {
  const conditions = findOnlyChild(assertion, assertionNamespace, 'Conditions');
  if (conditions === undefined) throw new SamlRefusal('conditions', 'not exactly one Conditions element');
  if (conditions.children.some(({ namespace, name }) => namespace !== assertionNamespace || !known.has(name)))
    throw new SamlRefusal('conditions', 'an unknown condition');
  requireBegun(findTime(conditions.attributes.get('NotBefore'), 'Conditions'), now, 'Conditions');
  const end = findTime(conditions.attributes.get('NotOnOrAfter'), 'Conditions');
  if (end !== undefined) requireNotOver(end, now, 'Conditions');
  requireAudience(conditions, entityId);
}

/** Every restriction must include this service (saml-core, 2.5.1.4). */
function requireAudience(conditions: XmlElement, entityId: string): void {
  const restrictions = childrenOf(conditions, assertionNamespace, 'AudienceRestriction');
  const named = restrictions.every((restriction) =>
    childrenOf(restriction, assertionNamespace, 'Audience').some(
      ({ text, children }) => children.length === 0 && text === entityId,
    ),
  );
  if (restrictions.length === 0 || !named) throw new SamlRefusal('audience');
}
