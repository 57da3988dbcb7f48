import { isIPv6 } from 'node:net';

/** An address as it is counted: IPv4 whole (also when it comes mapped into IPv6), IPv6 by its first 64 bits. */
export function countedAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const front = groups(head);
  const missing = address.includes('::') ? 8 - front.length - groups(tail).length : 0;
  const all = [...front, ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
