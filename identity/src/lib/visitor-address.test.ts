import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countedRanges, parseAddress } from './visitor-address.ts';

const octet = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff });
const groups = fc.tuple(group, group, group, group, group, group, group, group);
const port = fc.integer({ min: 0, max: 65_535 });

/**
 * Returns all spellings of eight groups: with leading zeros, capitals, `::` for any run of zeros, and the last two
 * groups as IPv4.
 */
function spellings(parts: readonly number[]): string[] {
  const hex = (width: number) => parts.map((part) => part.toString(16).padStart(width, '0'));
  const dotted = [parts[6], parts[7]].flatMap((part = 0) => [part >> 8, part & 0xff]).join('.');
  const whole = [hex(1), hex(4), [...hex(1).slice(0, 6), dotted]];
  const shortened = whole.flatMap((written) =>
    written.flatMap((_, from) =>
      written.flatMap((__, to) =>
        to > from && written.slice(from, to).every((part) => /^0+$/.test(part))
          ? [`${written.slice(0, from).join(':')}::${written.slice(to).join(':')}`]
          : [],
      ),
    ),
  );
  return [...whole.map((written) => written.join(':')), ...shortened].flatMap((text) => [
    text,
    text.toUpperCase(),
  ]);
}

/** The same address as written by proxies and operating systems. */
const wrapped = (address: string, number: number): string[] => [
  address,
  `[${address}]`,
  `[${address}]:${number}`,
  `${address}%eth0`,
  `[${address}%en1]:${number}`,
];

describe('an address', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['[::FFFF:C000:0207]:4711', '192.0.2.7'],
    ['2001:0DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::192.0.2.7', '::c000:207'],
  ])('%s is parsed as %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  test('all spellings of an IPv6 address have one canonical form [S33]', () => {
    const mapped = fc.tuple(group, group).map((last) => [0, 0, 0, 0, 0, 0xffff, ...last]);
    const sparse = groups.map((parts) => parts.map((part) => (part % 3 === 0 ? 0 : part)));
    fc.assert(
      fc.property(fc.oneof(groups, sparse, mapped), port, (parts, number) => {
        const parsed = spellings(parts).flatMap((text) => wrapped(text, number).map(parseAddress));
        expect(new Set(parsed).size).toBe(1);
        expect(parsed[0]).not.toBe('unknown');
      }),
    );
  });

  test('IPv4 with a port, or mapped to IPv6, is the same address [S33]', () => {
    fc.assert(
      fc.property(octet, octet, octet, octet, port, (a, b, c, d, number) => {
        const address = `${a}.${b}.${c}.${d}`;
        expect(parseAddress(address)).toBe(address);
        expect(parseAddress(`${address}:${number}`)).toBe(address);
        expect(parseAddress(`::ffff:${address}`)).toBe(address);
      }),
    );
  });

  test.each([
    undefined,
    '',
    'unknown',
    '_hidden',
    'localhost',
    '192.0.2',
    '192.0.2.07',
    '0xc0.0.2.7',
    '3221225991',
    '192.0.2.7:',
    '192.0.2.7:123456',
    '192.0.2.7%eth0',
    '[192.0.2.7]:4711',
    '[2001:db8::7',
    '2001:db8::7]:4711',
    '2001:db8::7::1',
    '2001:db8:1:2:3:4:5:6:4711',
    '[2001:db8::7]:http',
    '192.0.2.7, 192.0.2.8',
    '"192.0.2.7"',
    ' 192.0.2.7',
    'é'.repeat(5000),
  ])('%j is invalid, and shares one name with all other invalid addresses [S33]', (text) => {
    expect(parseAddress(text)).toBe('unknown');
  });

  test('any text parses to an address or to the shared name, and parsing is idempotent [S33]', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseAddress(parseAddress(text))).toBe(parseAddress(text));
        expect(parseAddress(text)).toMatch(/^(?:unknown|[\d.]+|[\da-f:]+)$/);
      }),
    );
  });
});

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['192.0.2.7:4711', ['192.0.2.7']],
  ['::ffff:c000:207', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:db8:1:2::9', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:0db8:0001:ffff::', ['2001:db8:1:ffff::/64', '2001:db8:1::/48']],
  ['::1', ['::/64', '::/48']],
  ['not an address', ['unknown']],
])('%s counts in %j', (address, ranges) => {
  expect(countedRanges(address).map(({ range }) => range)).toEqual(ranges);
});
