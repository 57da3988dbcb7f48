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

/** A sign-out is brought at once; an older one is a replay, or of no use any more. */
const freshMs = 5 * 60 * 1000;

/** What an identity provider asks for: whose sessions end, and which; all of them where it names none. */
export type LogoutRequest = { id: string; subject: string; sessionIndexes: string[]; rememberUntil: Date };

type Expected = { connection: SamlConnection; provider: ServiceProvider };

/** A sign-out by the POST binding: its signature stands in it. @throws SamlRefusal */
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
  // its root is what is signed, so that everything in it may be read
  try {
    await createLibrary(expected.connection, expected.provider).validatePostRequestAsync({
      SAMLRequest: Buffer.from(xml).toString('base64'),
    });
  } catch (error) {
    throw new SamlRefusal('signature_invalid', undefined, { cause: error });
  }
  return readClaims(request, expected, now);
}

/** A sign-out by the redirect binding: the signature stands beside it, in the address. @throws SamlRefusal */
export async function validateRedirectedLogout(
  message: RedirectedMessage,
  expected: Expected,
  now: Date,
): Promise<LogoutRequest> {
  // before anything is inflated
  requireQuerySignature(message, expected.connection);
  const request = readLogoutRequest(await decodeRedirected(message.SAMLRequest?.value ?? ''));
  // the one in the address is the one (saml-bindings, 3.4.4.1)
  if ([...descendants(request)].some(({ name }) => name === 'Signature'))
    throw new SamlRefusal('signature_misplaced');
  return readClaims(request, expected, now);
}

/** Over the very characters of the address, in the standard's order, by an algorithm of our list. */
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

function readClaims(request: XmlElement, { connection, provider }: Expected, now: Date): LogoutRequest {
  requireIssuer(request, connection);
  requireDestination(request, provider.singleLogoutUrl);
  const issued = parseTime(request.attributes.get('IssueInstant'), 'IssueInstant');
  requireIssuedBetween(issued, new Date(0), now, 'LogoutRequest');
  const end = findTime(request.attributes.get('NotOnOrAfter'), 'LogoutRequest');
  const freshUntil = new Date(issued.getTime() + freshMs);
  for (const limit of [end, freshUntil]) if (limit !== undefined) requireNotOver(limit, now, 'LogoutRequest');
  return {
    id: request.attributes.get('ID') ?? '',
    subject: requireNameId(request, connection, provider.entityId),
    sessionIndexes: childrenOf(request, protocolNamespace, 'SessionIndex').map((element) => {
      const index = findText(element);
      // one that cannot be read must not come to mean all of them
      if (index === undefined) throw new SamlRefusal('not_a_logout_request', 'SessionIndex');
      return index;
    }),
    rememberUntil: rememberUntil(freshUntil),
  };
}
