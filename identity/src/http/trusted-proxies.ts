import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { parseAddress } from '../lib/visitor-address.ts';
import type { Log } from '../lib/log.ts';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Whether a hop of `X-Forwarded-For` is one of the operator's proxies. Unlike Fastify's own list, it recognises a hop
 * with a port; without that, the proxy's address would count as the address of all visitors behind it.
 */
export function createProxyTrust(trusted: readonly string[]): (hop: string | undefined) => boolean {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) proxies.addAddress(parseAddress(address), familyOf(parseAddress(address)));
    else proxies.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (hop) => {
    const address = parseAddress(hop);
    return proxies.check(address, familyOf(address));
  };
}

/** The interval between two warnings about an address. */
const againAfterMs = 3_600_000;
/** The maximum number of addresses per interval; any client can send the header. */
const maximumAddresses = 10;

/**
 * Warns once an hour about each address that sends `X-Forwarded-For` without being a trusted proxy. If a proxy is
 * missing from the settings, all visitors behind it share one address and its limits. Returns the list of these
 * addresses.
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
      if (!warnedMs.has(address) && warnedMs.size < maximumAddresses) {
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
