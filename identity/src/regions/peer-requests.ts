import { Agent as AgentInTheClear, request as requestInTheClear } from 'node:http';
import { Agent as AgentOverTls, request as requestOverTls } from 'node:https';
import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** What another region's server said. */
export type PeerAnswer = { status: number; text: string };

export type PeerRequest = { method: 'GET' } | { method: 'POST'; contentType: string; body: string };

/** Another region's server does not answer. Apart from what its socket says, which looks like our own database's being away. */
export class PeerUnavailable extends Error {
  override readonly name = 'PeerUnavailable';
}

/** Asks a server of another region. @throws PeerUnavailable when it does not answer in time, or too much. */
export type AskPeer = (address: URL, request: PeerRequest) => Promise<PeerAnswer>;

/** A visitor waits for it. */
const visitorPatienceMs = 3000;
const answerLimitBytes = 64 * 1024;
/**
 * How long one of several addresses of a name is tried before the next, which the first is given up for: with the quarter of a second
 * that Node takes, a region on another continent whose name has two would now and then not be there at all.
 */
const addressPatienceMs = 1000;

/**
 * Only addresses of listed regions are ever asked, and no redirect is followed: `node:http` follows none.
 * `isGuarded: false`, outside production alone: names below `localhost` mean this machine (RFC 6761, 6.3), which browsers know by
 * themselves and resolvers mostly do not.
 */
export function createAskPeer({
  isGuarded,
  timeoutMs = visitorPatienceMs,
}: {
  isGuarded: boolean;
  timeoutMs?: number;
}): AskPeer {
  // one question now and then: a connection that waits for the next one would only go stale
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
            if (length > answerLimitBytes) response.destroy(new Error('The answer is too long'));
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
