import { deflateRawSync } from 'node:zlib';
import { honestXml, replaced } from './lab.ts';
import type { Attack, Lab } from './lab.ts';
import { encode } from './responses.ts';

// Attacks on XML parsers, which must be refused before the message is parsed.

const parser = (
  name: string,
  reason: Attack['reason'],
  change: (xml: string) => string | Buffer,
): Attack => ({
  row: 'S47',
  name,
  reason,
  forge: (lab) => encode(change(honestXml(lab))),
});
const raw = (name: string, reason: Attack['reason'], forge: (lab: Lab) => string): Attack => ({
  row: 'S47',
  name,
  reason,
  forge,
});

const behindRootTag = (content: string) => (xml: string) =>
  replaced(xml, '<samlp:Status>', `${content}<samlp:Status>`);
const withDoctype = (subset: string) => (xml: string) => `<!DOCTYPE samlp:Response ${subset}>${xml}`;

export const parserAttacks: readonly Attack[] = [
  parser('a document type', 'message_has_declarations', withDoctype('')),
  parser(
    'an external entity of a file',
    'message_has_declarations',
    withDoctype('[<!ENTITY x SYSTEM "file:///etc/passwd">]'),
  ),
  parser(
    'an external entity of an address',
    'message_has_declarations',
    withDoctype('[<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]'),
  ),
  parser('an external subset', 'message_has_declarations', withDoctype('SYSTEM "http://127.0.0.1:9/x.dtd"')),
  parser(
    'a parameter entity',
    'message_has_declarations',
    withDoctype('[<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]'),
  ),
  parser(
    'a billion laughs',
    'message_has_declarations',
    withDoctype(
      `[<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join('')}]`,
    ),
  ),
  parser('an undeclared entity', 'message_malformed', behindRootTag('&xxe;')),
  parser('a reference to NUL', 'message_malformed', behindRootTag('<x>&#0;</x>')),
  parser('a stylesheet', 'message_has_declarations', (xml) => `<?xml-stylesheet href="x"?>${xml}`),
  parser(
    '40,000 nested elements',
    'message_too_large',
    behindRootTag(`${'<a>'.repeat(40_000)}${'</a>'.repeat(40_000)}`),
  ),
  parser(
    '1,000 nested elements',
    'message_nests_too_deep',
    behindRootTag(`${'<a>'.repeat(1_000)}${'</a>'.repeat(1_000)}`),
  ),
  parser(
    '40,000 attributes',
    'message_too_large',
    behindRootTag(`<a${Array.from({ length: 40_000 }, (_, index) => ` a${index}="1"`).join('')}/>`),
  ),
  parser(
    '1,000 attributes on one element',
    'message_has_too_many_attributes',
    behindRootTag(`<a${Array.from({ length: 1_000 }, (_, index) => ` a${index}="1"`).join('')}/>`),
  ),
  parser(
    '300 elements with 30 namespaces each',
    'message_has_too_many_attributes',
    behindRootTag(
      Array.from(
        { length: 300 },
        () => `<a${Array.from({ length: 30 }, (_, index) => ` xmlns:n${index}="u"`).join('')}/>`,
      ).join(''),
    ),
  ),
  parser('10,000 sibling elements', 'message_has_too_many_elements', behindRootTag('<a/>'.repeat(10_000))),
  parser('200 kB of spaces in an end tag', 'message_malformed', (xml) =>
    replaced(xml, '</samlp:Response>', `</samlp:Response${' '.repeat(200_000)}>`),
  ),
  parser('more than 256 kB', 'message_too_large', behindRootTag(`<x>${'x'.repeat(270_000)}</x>`)),
  raw('half a megabyte of base64', 'message_too_large', () => 'A'.repeat(524_292)),
  parser('UTF-16', 'message_not_utf8', (xml) => Buffer.from(`\uFEFF${xml}`, 'utf16le')),
  parser('UTF-16 without a byte order mark', 'message_not_utf8', (xml) => Buffer.from(xml, 'utf16le')),
  parser('a byte order mark', 'message_not_utf8', (xml) => `\uFEFF${xml}`),
  parser('bytes that are not UTF-8', 'message_not_utf8', (xml) =>
    Buffer.concat([Buffer.from(xml), Buffer.from([0xc3, 0x28])]),
  ),
  parser('overlong UTF-8', 'message_not_utf8', (xml) =>
    Buffer.concat([Buffer.from([0xc0, 0xbc]), Buffer.from(xml)]),
  ),
  parser(
    'a declaration of another encoding',
    'message_not_utf8',
    (xml) => `<?xml version="1.0" encoding="UTF-7"?>${xml}`,
  ),
  parser('NUL', 'message_not_utf8', (xml) => replaced(xml, '<samlp:Status>', '\0<samlp:Status>')),
  parser('control characters', 'message_malformed', (xml) =>
    replaced(xml, '<samlp:Status>', '\u0001<samlp:Status>'),
  ),
  parser('an attribute twice', 'message_malformed', (xml) =>
    replaced(xml, ' Version="2.0"', ' Version="2.0" Version="2.0"'),
  ),
  parser('an attribute without quotes', 'message_malformed', (xml) =>
    replaced(xml, ' Version="2.0"', ' Version=2.0'),
  ),
  parser('an end tag without a start tag', 'message_malformed', (xml) => `${xml}</samlp:Response>`),
  parser('a start tag without an end tag', 'message_malformed', (xml) =>
    replaced(xml, '</samlp:Response>', ''),
  ),
  parser('end tags in the wrong order', 'message_malformed', behindRootTag('<a><b></a></b>')),
  parser('text after the root element', 'message_malformed', (xml) => `${xml}x`),
  parser('an undeclared prefix', 'message_malformed', behindRootTag('<undeclared:x/>')),
  raw('no message', 'message_missing', () => ''),
  raw('invalid base64', 'message_not_base64', (lab) => `${encode(honestXml(lab)).slice(0, -4)}!!!!`),
  raw('base64url', 'message_not_base64', () => '-_-_'),
  raw('base64 with spaces', 'message_not_base64', (lab) => encode(honestXml(lab)).replace('A', ' A')),
  raw('XML instead of base64', 'message_not_base64', (lab) => honestXml(lab)),
  parser('a deflated message', 'message_not_utf8', (xml) => deflateRawSync(xml)),
];
