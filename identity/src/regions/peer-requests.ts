import { Agent as AgentInTheClear, request as requestInTheClear } from 'node:http';
import { Agent as AgentOverTls, request as requestOverTls } from 'node:https';
import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A response from another region's server. */
export type PeerAnswer = { status: number; text: string };

export type PeerRequest = { method: 'GET' } | { method: 'POST'; contentType: string; body: string };

/**
 * Another region's server does not respond. This is a separate class, because socket errors would otherwise be taken
 * for those of an unavailable database.
 */
export class PeerUnavailable extends Error {
  override readonly name = 'PeerUnavailable';
}

/**
 * Sends a request to another region's server.
 * @throws PeerUnavailable if it does not respond in time, or its response is too large
 */
export type AskPeer = (address: URL, request: PeerRequest) => Promise<PeerAnswer>;

/** The timeout of a request to another region. It is short because a visitor waits for the response. */
const visitorPatienceMs = 3000;
const answerLimitBytes = 64 * 1024;
/**
 * How long one of several addresses of a host is tried before the next one. With Node's default of 250 ms, a region on
 * another continent with two addresses would occasionally be unreachable.
 */
const addressPatienceMs = 1000;

/**
 * Creates the function for requests to listed regions; `node:http` follows no redirects. With `isGuarded: false`, which
 * production never uses, names below `localhost` resolve to this machine (RFC 6761, 6.3), as in browsers but unlike
 * most resolvers.
 */
export function createAskPeer({
  isGuarded,
  timeoutMs = visitorPatienceMs,
}: {
  isGuarded: boolean;
  timeoutMs?: number;
}): AskPeer {
  // Requests are rare, so a pooled connection would have been closed before the next request.
  const connecting = { keepAlive: false, autoSelectFamilyAttemptTimeout: addressPatienceMs };
  const agents = { inTheClear: new AgentInTheClear(connecting), overTls: new AgentOverTls(connecting) };
  return (address, asked) =>
    new Promise((resolve, reject) => {
      const fail = (cause: Error): void =>
        reject(new PeerUnavailable(`${address.host} did not answer: ${cause.message}`, { cause }));
      const isOverTls = address.protocol === 'https:';
      const send = isOverTls ? requestOverTls : requestInTheClear;
      const body = asked.method === 'POST' ? Buffer.from(asked.body) : undefined;
      const request = send(
        address,
        {
          method: asked.method,
          headers: {
            accept: 'application/json',
            ...(asked.method === 'POST' && {
              'content-type': asked.contentType,
              'content-length': String(body?.length ?? 0),
            }),
          },
          signal: AbortSignal.timeout(timeoutMs),
          agent: isOverTls ? agents.overTls : agents.inTheClear,
          ...(!isGuarded && { lookup: lookUpWithLocalhost }),
        },
        (response) => {
          const parts: Buffer[] = [];
          let length = 0;
          response.on('data', (part: Buffer) => {
            length += part.length;
            if (length > answerLimitBytes) response.destroy(new Error('The response is too large'));
            else parts.push(part);
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
          );
          response.on('error', fail);
        },
      );
      request.on('error', fail);
      request.end(body);
    });
}

const thisMachine = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const lookUpWithLocalhost: LookupFunction = (hostname, options, found) => {
  if (!hostname.endsWith('.localhost')) {
    lookUp(hostname, options, found);
    return;
  }
  const [first = { address: '127.0.0.1', family: 4 }] = thisMachine;
  if (options.all === true) found(null, thisMachine);
  else found(null, first.address, first.family);
};
