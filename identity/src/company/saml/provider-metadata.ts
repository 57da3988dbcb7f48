import { decodeUtf8 } from '../../lib/decode-utf8.ts';
import type { OutgoingFetch } from '../openid/outgoing.ts';
import { requireModestMarkup } from './markup.ts';
import { SamlRefusal } from './refusal.ts';
import { findTime, requireNotOver } from './timestamps.ts';
import { postBinding, redirectBinding, signatureNamespace } from './vocabulary.ts';
import { childrenOf, descendants, parseXml } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata';

/** Metadata that is unusable for a connection; the reasons are for the operator. */
export class MetadataRefusal extends Error {
  override readonly name = 'MetadataRefusal';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[], options: { cause?: unknown } = {}) {
    super(reasons.join('; '), options);
    this.reasons = reasons;
  }
}

/** The parts of an identity provider's metadata that a connection uses. */
export type ProviderMetadata = {
  issuer: string;
  entryPoint: string;
  entryPointBinding: 'redirect' | 'post';
  offeredNameIdFormats: string[];
  logoutUrl: string | null;
  certificates: string[];
};

/**
 * Reads an identity provider's metadata (SAML 2.0 Metadata, 2.4.3) with the same parser as its responses.
 * @throws MetadataRefusal if it is invalid, expired (`validUntil`) or incomplete
 */
export function readProviderMetadata(xml: string, now: Date): ProviderMetadata {
  const provider = findProvider(parse(xml));
  const { entity, description } = provider;
  const issuer = entity.attributes.get('entityID') ?? '';
  const byRedirect = findAddress(description, 'SingleSignOnService', redirectBinding);
  const entryPoint = byRedirect ?? findAddress(description, 'SingleSignOnService', postBinding);
  const certificates = findCertificates(description);
  const missing = [
    ...(issuer === '' ? ['an entityID'] : []),
    ...(entryPoint === undefined
      ? ['a SingleSignOnService with the HTTP-Redirect or the HTTP-POST binding']
      : []),
    ...(certificates.length === 0 ? ['a signing certificate'] : []),
  ];
  if (missing.length > 0 || entryPoint === undefined)
    throw new MetadataRefusal(missing.map((what) => `has not ${what}`));
  requireValid(entity, now);
  return {
    issuer,
    entryPoint,
    entryPointBinding: byRedirect === undefined ? 'post' : 'redirect',
    offeredNameIdFormats: childrenOf(description, metadataNamespace, 'NameIDFormat').map(({ text }) =>
      text.trim(),
    ),
    logoutUrl: findAddress(description, 'SingleLogoutService', redirectBinding) ?? null,
    certificates,
  };
}

/** The timeout for fetching metadata; afterwards the last metadata stays in use. */
const timeoutMs = 10_000;

/**
 * Fetches metadata from its URL. TLS authenticates it; its signature is not verified.
 * @throws MetadataRefusal
 */
export async function fetchMetadata(
  fetch: OutgoingFetch,
  address: string,
  now: Date,
): Promise<ProviderMetadata> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
  let text: string;
  try {
    const response = await fetch(address, { method: 'GET', headers, signal });
    if (response.status !== 200)
      throw new MetadataRefusal([`${address} answered with status ${response.status}`]);
    const decoded = decodeUtf8(new Uint8Array(await response.arrayBuffer()));
    if ('fault' in decoded) throw new MetadataRefusal([`${address} ${decoded.fault}`]);
    ({ text } = decoded);
  } catch (error) {
    if (error instanceof MetadataRefusal) throw error;
    const reason = error instanceof Error ? error.message : 'no reason known';
    throw new MetadataRefusal([`${address} cannot be read: ${reason}`], { cause: error });
  }
  return readProviderMetadata(text, now);
}

/** Rejects expired metadata (saml-metadata, 2.3.2). */
function requireValid(entity: XmlElement, now: Date): void {
  try {
    const end = findTime(entity.attributes.get('validUntil'), 'validUntil');
    if (end !== undefined) requireNotOver(end, now, 'validUntil');
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    throw new MetadataRefusal([`is not valid: ${error.message}`], { cause: error });
  }
}

function parse(xml: string): XmlElement {
  try {
    // Removes comments, which metadata may contain; the rest must pass the same checks as a response.
    const plain = withoutComments(xml.trimStart());
    requireModestMarkup(plain);
    return parseXml(plain);
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    throw new MetadataRefusal([`cannot be read: ${error.message}`], { cause: error });
  }
}

/** Removes comments in linear time. An unterminated comment remains and is rejected later. */
function withoutComments(xml: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const begin = xml.indexOf('<!--', at);
    const end = begin === -1 ? -1 : xml.indexOf('-->', begin + '<!--'.length);
    if (end === -1) return [...kept, xml.slice(at)].join('');
    kept.push(xml.slice(at, begin));
    at = end + '-->'.length;
  }
}

function findProvider(root: XmlElement): { entity: XmlElement; description: XmlElement } {
  const found = [...descendants(root)]
    .filter(({ namespace, name }) => namespace === metadataNamespace && name === 'EntityDescriptor')
    .flatMap((entity) =>
      childrenOf(entity, metadataNamespace, 'IDPSSODescriptor').map((description) => ({
        entity,
        description,
      })),
    );
  const [only, ...more] = found;
  if (only === undefined) throw new MetadataRefusal(['describes no identity provider']);
  if (more.length > 0) throw new MetadataRefusal(['describes several identity providers: keep one of them']);
  return only;
}

function findAddress(description: XmlElement, name: string, binding: string): string | undefined {
  return childrenOf(description, metadataNamespace, name)
    .find(({ attributes }) => attributes.get('Binding') === binding)
    ?.attributes.get('Location');
}

/** Keys without `use` serve both purposes (2.4.1.1); there are two during a rollover. */
function findCertificates(description: XmlElement): string[] {
  const keys = childrenOf(description, metadataNamespace, 'KeyDescriptor').filter(
    ({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing',
  );
  const certificates = keys.flatMap((key) =>
    [...descendants(key)]
      .filter(({ namespace, name }) => namespace === signatureNamespace && name === 'X509Certificate')
      .map(({ text }) => text.replace(/\s+/g, '')),
  );
  return [...new Set(certificates)];
}
