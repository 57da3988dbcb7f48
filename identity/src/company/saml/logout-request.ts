import { verify } from 'node:crypto';
import type { SamlConnection } from '../connection.ts';
import { parseCertificates } from './certificates.ts';
import { decodePosted, decodeRedirected } from './decode.ts';
import type { RedirectedMessage } from './form.ts';
import { createLibrary } from './library.ts';
import { requireModestMarkup } from './markup.ts';
import { SamlRefusal } from './refusal.ts';
import { requireDestination, requireIssuer } from './response-claims.ts';
import { requireDistinctIds, requireNothingEncrypted, requireProtocolMessage } from './response-shape.ts';
import type { ServiceProvider } from './service-provider.ts';
import { requireSignatureShape, signaturesOf } from './signature-shape.ts';
import { requireNameId } from './subject.ts';
import { findTime, parseTime, rememberUntil, requireIssuedBetween, requireNotOver } from './timestamps.ts';
import { protocolNamespace, signatureAlgorithms } from './vocabulary.ts';
import { childrenOf, descendants, findText, parseXml } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** Browsers deliver a logout request at once, so an older request is a replay or no longer relevant. */
const maximumAgeMs = 5 * 60 * 1000;

/** The subject's sessions to end: the listed sessions, or all sessions if the list is empty. */
export type LogoutRequest = { id: string; subject: string; sessionIndexes: string[]; rememberUntil: Date };

type Expected = { connection: SamlConnection; serviceProvider: ServiceProvider };

/**
 * Validates a logout request of the POST binding, which contains its signature.
 * @throws SamlRefusal
 */
export async function validatePostedLogout(
  encoded: string,
  expected: Expected,
  now: Date,
): Promise<LogoutRequest> {
  const xml = decodePosted(encoded);
  const request = readLogoutRequest(xml);
  const [signature, ...more] = signaturesOf(request);
  if (signature === undefined) throw new SamlRefusal('unsigned');
  const signatures = [...descendants(request)].filter(({ name }) => name === 'Signature');
  if (more.length > 0 || signatures.length > 1) throw new SamlRefusal('signature_misplaced');
  requireSignatureShape(signature, request);
  // the root is the signed element, so its content can be trusted
  try {
    await createLibrary(expected.connection, expected.serviceProvider).validatePostRequestAsync({
      SAMLRequest: Buffer.from(xml).toString('base64'),
    });
  } catch (error) {
    throw new SamlRefusal('signature_invalid', undefined, { cause: error });
  }
  return readClaims(request, expected, now);
}

/**
 * Validates a logout request of the redirect binding, whose signature is in the query.
 * @throws SamlRefusal
 */
export async function validateRedirectedLogout(
  message: RedirectedMessage,
  expected: Expected,
  now: Date,
): Promise<LogoutRequest> {
  // Verified before inflating, so that only the provider can make this service inflate a message.
  requireQuerySignature(message, expected.connection);
  const request = readLogoutRequest(await decodeRedirected(message.SAMLRequest?.value ?? ''));
  // the signature in the query is the only one (saml-bindings, 3.4.4.1)
  if ([...descendants(request)].some(({ name }) => name === 'Signature'))
    throw new SamlRefusal('signature_misplaced');
  return readClaims(request, expected, now);
}

/** Verifies the signature over the raw query characters, in the standard's order, with a supported algorithm. */
function requireQuerySignature(message: RedirectedMessage, { settings }: SamlConnection): void {
  const { SAMLRequest: request, RelayState: relayState, SigAlg: algorithm, Signature: signature } = message;
  if (request === undefined) throw new SamlRefusal('parameters');
  if (signature === undefined || algorithm === undefined) throw new SamlRefusal('unsigned');
  const name = signatureAlgorithms.get(algorithm.value);
  if (name === undefined) throw new SamlRefusal('signature_algorithm');
  const signed = [
    `SAMLRequest=${request.raw}`,
    ...(relayState === undefined ? [] : [`RelayState=${relayState.raw}`]),
    `SigAlg=${algorithm.raw}`,
  ].join('&');
  const value = Buffer.from(signature.value, 'base64');
  const holds = parseCertificates(settings.certificates).some(({ publicKey }) =>
    verify(name, Buffer.from(signed), publicKey, value),
  );
  if (!holds) throw new SamlRefusal('signature_invalid');
}

function readLogoutRequest(xml: string): XmlElement {
  requireModestMarkup(xml);
  const request = parseXml(xml);
  requireProtocolMessage(request, 'LogoutRequest', 'not_a_logout_request');
  requireNothingEncrypted(request);
  requireDistinctIds([...descendants(request)], [request]);
  return request;
}

function readClaims(
  request: XmlElement,
  { connection, serviceProvider }: Expected,
  now: Date,
): LogoutRequest {
  requireIssuer(request, connection);
  requireDestination(request, serviceProvider.singleLogoutUrl);
  const issued = parseTime(request.attributes.get('IssueInstant'), 'IssueInstant');
  requireIssuedBetween(issued, new Date(0), now, 'LogoutRequest');
  const end = findTime(request.attributes.get('NotOnOrAfter'), 'LogoutRequest');
  const freshUntil = new Date(issued.getTime() + maximumAgeMs);
  for (const limit of [end, freshUntil]) if (limit !== undefined) requireNotOver(limit, now, 'LogoutRequest');
  return {
    id: request.attributes.get('ID') ?? '',
    subject: requireNameId(request, connection, serviceProvider.entityId),
    sessionIndexes: childrenOf(request, protocolNamespace, 'SessionIndex').map((element) => {
      const index = findText(element);
      // an unreadable index must not be mistaken for "all sessions"
      if (index === undefined) throw new SamlRefusal('not_a_logout_request', 'SessionIndex');
      return index;
    }),
    rememberUntil: rememberUntil(freshUntil),
  };
}
