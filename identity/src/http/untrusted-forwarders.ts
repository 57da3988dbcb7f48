import type { FastifyInstance } from 'fastify';
import type { Log } from '../lib/log.ts';
import { parseAddress } from '../lib/visitor-address.ts';
import { createProxyTrust } from './trusted-proxies.ts';

/** An address is warned about again after this long. */
const againAfterMs = 3_600_000;
/** Anybody can send the header, so this many addresses are named in that time. */
const mostAddresses = 10;

/**
 * Warns once an hour for each address that sends `X-Forwarded-For` without being a trusted proxy: a proxy that the operator has forgotten
 * makes all visitors behind it share one address and its limit. Answers the list of those addresses.
 */
export function watchUntrustedForwarders(
  app: FastifyInstance,
  trustedProxies: readonly string[],
  log: Log,
): () => readonly string[] {
  const isTrusted = createProxyTrust(trustedProxies);
  const warnedMs = new Map<string, number>();

  function forgetOld(): void {
    for (const [address, atMs] of warnedMs)
      if (Math.abs(Date.now() - atMs) >= againAfterMs) warnedMs.delete(address);
  }

  app.addHook('onRequest', (request, _reply, next) => {
    const sender = request.raw.socket.remoteAddress;
    if (request.headers['x-forwarded-for'] !== undefined && !isTrusted(sender)) {
      const address = parseAddress(sender);
      forgetOld();
      if (!warnedMs.has(address) && warnedMs.size < mostAddresses) {
        warnedMs.set(address, Date.now());
        log.warn(
          { proxy: address },
          'X-Forwarded-For was ignored, because TRUSTED_PROXIES does not name the address that sent it',
        );
      }
    }
    next();
  });
  return () => {
    forgetOld();
    return [...warnedMs.keys()];
  };
}
