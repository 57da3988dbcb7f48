import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Stands for everything that is not an address (RFC 7239, 6.2): all such visitors share one count. */
export const unknownAddress = 'unknown';

/** `[2001:db8::7]`, `[2001:db8::7]:4711` or `192.0.2.7:4711`, as some proxies write `X-Forwarded-For`. */
const bracketsOrPort = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * Parses an address into its one canonical spelling: IPv4-mapped IPv6 as IPv4, IPv6 after RFC 5952, without port and zone.
 * Everything else is `unknownAddress`, so that invented texts do not get counters of their own.
 */
export function parseAddress(text: string | undefined): string {
  const match = bracketsOrPort.exec(text ?? '');
  const bracketed = match?.[1];
  const bare = bracketed ?? match?.[2] ?? text ?? '';
  if (isIPv6(bare)) return parseIPv6(bare).toString();
  return bracketed === undefined && isIPv4(bare) ? bare : unknownAddress;
}

/** `net.isIPv6` has checked the syntax; ipaddr.js is more lenient, and reads `::192.0.2.1` as if it were IPv4-mapped. */
function parseIPv6(text: string) {
  return ipaddr.process(text.replace(/%.*$/, '').replace(/^::(?=\d+\.)/, '0::'));
}

export type CountedRange = {
  range: string;
  /** How many times the limit of a single address the range may use. */
  share: number;
};

/** A network may fail as often as this many of its addresses. */
const networkShare = 10;

/**
 * The ranges that an address is counted in, the smallest first. IPv4 counts whole. IPv6 counts by its /64, which one household or
 * machine gets, and by its /48, which one organisation gets (RFC 6177): 65,536 of the former cost an attacker nothing.
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
