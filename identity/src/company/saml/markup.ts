import { SamlRefusal } from './refusal.ts';

// Checks on the raw text before it is parsed, in a single pass, so that the cost is linear in its length.

const deepest = 32;
/**
 * As many as the groups of a user need in a message of 256 kB: Microsoft Entra ID sends one element for each group, and
 * Keycloak two with six attributes for each role.
 */
const mostElements = 4_000;
const mostAttributesOfOne = 32;
const mostAttributes = 8_000;
/**
 * The limit exists because megabytes of white space in an end tag cost a parser seconds; genuine end tags contain at
 * most a line break.
 */
const longestTag = 16 * 1024;

const declaration = /^<\?xml\s[^<>]{0,100}\?>/;
const otherEncoding = /encoding\s*=\s*(?!["']utf-8["'])/i;

/**
 * Rejects markup that no genuine message contains and that has misled parsers: a document type (entities, external
 * files), comments, CDATA and processing instructions (they split a text, so that a name is truncated), several roots,
 * and more depth, elements or attributes than a sign-in needs.
 */
export function requireModestMarkup(xml: string): void {
  const start = skipDeclaration(xml);
  // in well-formed XML `<!` starts only a document type, a comment or CDATA
  if (xml.includes('<!'))
    throw new SamlRefusal('message_has_declarations', 'document type, comment or CDATA');
  if (xml.indexOf('<?', start) !== -1)
    throw new SamlRefusal('message_has_declarations', 'processing instruction');
  requireCharacters(xml);
  requireOneTree(xml, start);
}

function skipDeclaration(xml: string): number {
  const found = declaration.exec(xml)?.[0];
  if (found === undefined) return 0;
  if (otherEncoding.test(found)) throw new SamlRefusal('message_not_utf8', 'declares another encoding');
  return found.length;
}

/** Rejects the characters that XML 1.0, 2.2, forbids, also in numeric references. */
function requireCharacters(xml: string): void {
  // oxlint-disable-next-line no-control-regex -- these are the rejected characters
  if (/[\u0001-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(xml))
    throw new SamlRefusal('message_malformed', 'control characters');
  for (const [reference, name = ''] of xml.matchAll(/&([^;]{0,12});?/g)) {
    if (!reference.endsWith(';') || !isKnownReference(name))
      throw new SamlRefusal('message_malformed', 'unknown entity');
  }
}

const predefined = new Set(['lt', 'gt', 'amp', 'apos', 'quot']);

function isKnownReference(name: string): boolean {
  if (predefined.has(name)) return true;
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name) ?? [];
  const code = hexadecimal === undefined ? Number(decimal ?? '0') : Number.parseInt(hexadecimal, 16);
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x1_0000 && code <= 0x10_ffff)
  );
}

function requireOneTree(xml: string, start: number): void {
  // the parser accepts mismatched end tags
  const names: string[] = [];
  let elements = 0;
  let attributes = 0;
  let at = start;
  for (;;) {
    const open = xml.indexOf('<', at);
    const textBefore = xml.slice(at, open === -1 ? undefined : open);
    if (names.length === 0 && textBefore.trim() !== '')
      throw new SamlRefusal('message_malformed', 'text outside the root');
    if (open === -1) break;
    const tag = readTag(xml, open);
    at = tag.end;
    if (tag.kind === 'end') {
      if (names.pop() !== tag.name)
        throw new SamlRefusal('message_malformed', 'an end tag without its start tag');
      continue;
    }
    if (names.length === 0 && elements > 0) throw new SamlRefusal('message_malformed', 'more than one root');
    elements += 1;
    attributes += tag.attributes;
    if (elements > mostElements) throw new SamlRefusal('message_has_too_many_elements');
    if (tag.attributes > mostAttributesOfOne || attributes > mostAttributes)
      throw new SamlRefusal('message_has_too_many_attributes');
    if (tag.kind === 'start') names.push(tag.name);
    if (names.length > deepest) throw new SamlRefusal('message_nests_too_deep');
  }
  if (names.length > 0 || elements === 0)
    throw new SamlRefusal('message_malformed', 'not exactly one closed root element');
}

type Tag = { kind: 'start' | 'end' | 'empty'; name: string; attributes: number; end: number };

/** Reads the tag that starts at `open`; a quoted value counts as one attribute. */
function readTag(xml: string, open: number): Tag {
  let quote = '';
  let attributes = 0;
  const limit = Math.min(xml.length, open + longestTag);
  for (let at = open + 1; at < limit; at += 1) {
    const character = xml.charAt(at);
    if (character === '<') throw new SamlRefusal('message_malformed', '< within a tag');
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
      attributes += 1;
    } else if (character === '>') {
      const kind = xml.charAt(open + 1) === '/' ? 'end' : xml.charAt(at - 1) === '/' ? 'empty' : 'start';
      const name = /^<\/?([^\s/>]*)/.exec(xml.slice(open, at + 1))?.[1] ?? '';
      return { kind, name, attributes, end: at + 1 };
    }
  }
  throw new SamlRefusal('message_malformed', 'an unclosed tag');
}
