import { SamlRefusal } from './refusal.ts';
import { findTime, parseTime, requireBegun, requireNotOver } from './timestamps.ts';
import { assertionNamespace, bearerMethod } from './vocabulary.ts';
import { findOnlyChild } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/**
 * Requires a bearer confirmation for this URL, this request and the present time (saml-profiles, 4.1.4.3). Returns the
 * end of its validity, because the assertion must be remembered as used until then.
 * @throws `confirmation_missing`, `confirmation_method`, `recipient`, `in_response_to`, `expired`, `not_yet_valid`
 */
export function requireConfirmation(
  subject: XmlElement,
  expected: { acsUrl: string; requestId: string },
  now: Date,
): Date {
  // Exactly one is required, because the standard does not say which of several would count.
  const confirmation = findOnlyChild(subject, assertionNamespace, 'SubjectConfirmation');
  if (confirmation === undefined) throw new SamlRefusal('confirmation_missing');
  if (confirmation.attributes.get('Method') !== bearerMethod) throw new SamlRefusal('confirmation_method');
  const data = findOnlyChild(confirmation, assertionNamespace, 'SubjectConfirmationData');
  if (data === undefined) throw new SamlRefusal('confirmation_missing', 'data');
  const { attributes } = data;
  if (attributes.get('Recipient') !== expected.acsUrl) throw new SamlRefusal('recipient');
  if (attributes.get('InResponseTo') !== expected.requestId) throw new SamlRefusal('in_response_to');
  requireBegun(
    findTime(attributes.get('NotBefore'), 'SubjectConfirmationData'),
    now,
    'SubjectConfirmationData',
  );
  const end = parseTime(attributes.get('NotOnOrAfter'), 'SubjectConfirmationData');
  requireNotOver(end, now, 'SubjectConfirmationData');
  return end;
}
