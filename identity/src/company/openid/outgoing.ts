import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/** A generous limit: a discovery document or key set has a few kilobytes. */
const largestAnswerBytes = 512 * 1024;

export type OutgoingFetch = (url: string, options: OutgoingOptions) => Promise<Response>;
/** The options that openid-client passes. */
export type OutgoingOptions = {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

/**
 * The `fetch` for requests to providers. A third party chooses the URLs in a discovery document. So, unless the
 * operator allows them, requests to private addresses (checked after name resolution) and requests without TLS are
 * rejected. Redirects are not followed (OWASP, server-side request forgery prevention).
 */
export function createOutgoingFetch({
  privateAddresses,
  insecure,
}: {
  privateAddresses: boolean;
  insecure: boolean;
}): OutgoingFetch {
  return (address, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      if (url.protocol !== 'https:' && !insecure) {
        reject(new Error('the provider’s address has no TLS'));
        return;
      }
      // host names are checked after resolution, literal addresses here
      if (!privateAddresses && isPrivate(hostOf(url))) {
        reject(new Error('the provider’s address is private'));
        return;
      }
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const sent = send(
        url,
        { method, headers, signal, ...(!privateAddresses && { lookup: lookupPublic }) },
        (answer) => {
          readAll(answer).then(
            (bytes) => resolve(toResponse(answer, bytes)),
            (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
          );
        },
      );
      sent.on('error', reject);
      sent.end(toBytes(body));
    });
}

/** The system's DNS lookup without private addresses. The connection uses the checked result. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) {
      callback(error, '', 0);
      return;
    }
    const [first] = found;
    if (first === undefined || found.some(({ address }) => isPrivate(address))) {
      callback(new Error(`${hostname} is at a private address`), '', 0);
      return;
    }
    if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

const privateNetworks = new BlockList();
// RFC 6890: this host, private use, shared, loopback, link local (including cloud metadata services), benchmarks,
// multicast, reserved
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** The host name of a URL, or its IP address without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether the text is a private IP address. The block list treats IPv4-mapped IPv6 addresses (`::ffff:127.0.0.1`) as IPv4. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 0) return false;
  return privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer) {
    const bytes = Buffer.from(part as Uint8Array);
    length += bytes.length;
    if (length > largestAnswerBytes) throw new Error('the provider’s answer is too long');
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function toResponse({ statusCode = 500, headers }: IncomingMessage, bytes: Buffer): Response {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) kept.append(name, one);
  const isBodyless = statusCode === 204 || statusCode === 304;
  return new Response(isBodyless ? null : new Uint8Array(bytes), { status: statusCode, headers: kept });
}

function toBytes(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('The library sends a body of another kind than it used to');
}
