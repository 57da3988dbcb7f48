import type { ExternalProof, SamlConnection } from '../connection.ts';
import { requireAuthentication } from './authentication-statement.ts';
import { requireConditions } from './conditions.ts';
import { requireConfirmation } from './confirmation.ts';
import { decodePosted } from './decode.ts';
import { requireModestMarkup } from './markup.ts';
import { toProof } from './proof.ts';
import { requireDestination, requireInResponseTo, requireIssuer, requireSuccess } from './response-claims.ts';
import { readResponseShape, requireProtocolMessage } from './response-shape.ts';
import type { ResponseShape } from './response-shape.ts';
import type { ServiceProvider } from './service-provider.ts';
import { findQualifiers, requireNameId, requireSubject } from './subject.ts';
import { parseTime, rememberUntil, requireIssuedBetween } from './timestamps.ts';
import { verifyResponse } from './verify-signature.ts';
import { parseXml } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** A response with a valid structure whose signature is not yet verified. */
export type ReceivedResponse = ResponseShape & {
  xml: string;
  /** The id of the request that the response claims to answer; `validateResponse` verifies the claim. */
  inResponseTo: string;
};

/** The values that the response must match. */
export type Expected = {
  connection: SamlConnection;
  serviceProvider: ServiceProvider;
  /** The ID of the AuthnRequest, and its time. */
  requestId: string;
  requestedAt: Date;
  forceAuthentication: boolean;
};

export type ValidResponse = {
  proof: ExternalProof;
  assertionId: string;
  /** The time until which the assertion must be remembered as used. */
  rememberUntil: Date;
};

/** A parsed response. Nothing in it is verified. */
export type ParsedResponse = { xml: string; root: XmlElement };

/**
 * Parses the form field `SAMLResponse`.
 * @throws SamlRefusal
 */
export function parseResponse(encoded: string): ParsedResponse {
  const xml = decodePosted(encoded);
  requireModestMarkup(xml);
  const root = parseXml(xml);
  requireProtocolMessage(root, 'Response', 'not_a_response');
  return { xml, root };
}

/**
 * Performs all checks that need no key.
 * @throws SamlRefusal
 */
export function readResponse({ xml, root }: ParsedResponse): ReceivedResponse {
  // The status comes first, because providers usually send an error status without a signature and without an
  // assertion.
  requireSuccess(root);
  const shape = readResponseShape(root);
  return { ...shape, xml, inResponseTo: requireInResponseTo(shape.response) };
}

/**
 * Validates a response completely (attacks and faults, G11). The signature comes first; then the assertion is read
 * from the signed bytes. The values of the surrounding response are checked against the same expectations, and never
 * replace a value that the assertion lacks.
 * @throws SamlRefusal
 */
export async function validateResponse(
  received: ReceivedResponse,
  { connection, serviceProvider, requestId, requestedAt, forceAuthentication }: Expected,
  now: Date,
): Promise<ValidResponse> {
  const { response } = received;
  const assertion = await verifyResponse(received.xml, received, connection, serviceProvider);

  requireIssuer(response, connection);
  requireDestination(response, serviceProvider.acsUrl);
  requireIssuedBetween(issueInstantOf(response), requestedAt, now, 'Response');

  requireIssuer(assertion, connection);
  requireIssuedBetween(issueInstantOf(assertion), requestedAt, now, 'Assertion');
  requireConditions(assertion, serviceProvider.entityId, now);
  const subject = requireSubject(assertion);
  const end = requireConfirmation(subject, { acsUrl: serviceProvider.acsUrl, requestId }, now);
  const nameId = requireNameId(subject, connection, serviceProvider.entityId);
  const authentication = requireAuthentication(assertion, forceAuthentication ? requestedAt : undefined, now);
  return {
    proof: toProof(
      assertion,
      { nameId, subjectQualifiers: findQualifiers(subject) },
      authentication,
      connection,
    ),
    assertionId: assertion.attributes.get('ID') ?? '',
    rememberUntil: rememberUntil(end),
  };
}

const issueInstantOf = (element: { attributes: ReadonlyMap<string, string> }): Date =>
  parseTime(element.attributes.get('IssueInstant'), 'IssueInstant');
