import { BlockList, isIPv6 } from 'node:net';
import { parseAddress } from '../lib/visitor-address.ts';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Whether a hop of `X-Forwarded-For` is one of the operator's proxies. Unlike Fastify's own list, it recognises a hop
 * with a port; otherwise that proxy's address would count as the address of all visitors behind it.
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
