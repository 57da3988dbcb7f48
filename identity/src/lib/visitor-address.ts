import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Replaces every invalid address (RFC 7239, 6.2): all such visitors share one count. */
export const unknownAddress = 'unknown';

/** `[2001:db8::7]`, `[2001:db8::7]:4711` or `192.0.2.7:4711`, as some proxies write `X-Forwarded-For`. */
const bracketsOrPort = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * Parses an address into its canonical form: IPv4-mapped IPv6 as IPv4, IPv6 by RFC 5952, without port and zone.
 * Anything else is `unknownAddress`, so that invented texts do not get separate counters.
 */
export function parseAddress(text: string | undefined): string {
  const match = bracketsOrPort.exec(text ?? '');
  const bracketed = match?.[1];
  const bare = bracketed ?? match?.[2] ?? text ?? '';
  if (isIPv6(bare)) return parseIPv6(bare).toString();
  return bracketed === undefined && isIPv4(bare) ? bare : unknownAddress;
}

/** `net.isIPv6` has checked the syntax; ipaddr.js is more lenient, and reads `::192.0.2.1` as IPv4-mapped. */
function parseIPv6(text: string) {
  return ipaddr.process(text.replace(/%.*$/, '').replace(/^::(?=\d+\.)/, '0::'));
}

export type CountedRange = {
  range: string;
  /** The range's limit as a multiple of the limit of a single address. */
  share: number;
};

/** The limit of a network, as a multiple of the limit of a single address. */
const networkShare = 10;

/**
 * The ranges in which an address is counted, the smallest first. IPv4 addresses count individually. IPv6 addresses
 * count by their /64, which one household or machine gets, and by their /48, which one organisation gets (RFC 6177):
 * an attacker gets 65,536 /64 networks at no cost.
 */
export function countedRanges(address: string): readonly CountedRange[] {
  const parsed = parseAddress(address);
  if (!isIPv6(parsed)) return [{ range: parsed, share: 1 }];
  const { parts } = ipaddr.IPv6.parse(parsed);
  const prefix = (bits: number): string =>
    `${new ipaddr.IPv6(parts.map((part, index) => (index * 16 < bits ? part : 0))).toString()}/${bits}`;
  return [
    { range: prefix(64), share: 1 },
    { range: prefix(48), share: networkShare },
  ];
}
