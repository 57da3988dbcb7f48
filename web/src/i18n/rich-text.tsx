import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from './language.ts';
import type { MessageKey } from './keys.ts';

/** The node for a `{{name}}` (`<bdi>` isolates a string), or the renderer of a `<name>…</name>`. */
export type RichParts = Readonly<Record<string, ReactNode | ((text: string) => ReactNode)>>;

interface RichTextProps {
  message: MessageKey;
  parts: RichParts;
  /**
   * Numbers for placeholders and plural forms. They are inserted before the tags are parsed, so a string such as a
   * visitor's `<link>` would become a tag: pass strings as `parts`.
   */
  numbers?: Readonly<Record<string, number>>;
}

/** `{{name}}` or `<name>text</name>`. */
const part = /\{\{\s*(\w+)\s*\}\}|<(\w+)>(.*?)<\/\2>/g;

/**
 * A text with inline elements, for example a name in `<bdi>` or a link around some of its words. Translators see one
 * sentence, and nothing in it is parsed as HTML. Each text has an element of its own: machine translation in the browser
 * replaces text nodes, and React would update one that is no longer in the page.
 */
export function RichText({ message, parts, numbers = {} }: RichTextProps): ReactNode {
  const { t } = useLanguage();
  // Keeps the placeholders of `parts` in the text, because `splitRichText` replaces them.
  const keptPlaceholders = Object.fromEntries(Object.keys(parts).map((name) => [name, `{{${name}}}`]));
  const text = t(message, { ...keptPlaceholders, ...numbers });
  return splitRichText(text, parts).map(({ at, node }) =>
    typeof node === 'string' ? <span key={at}>{node}</span> : <Fragment key={at}>{node}</Fragment>,
  );
}

/** The pieces of a text with their start positions. */
export function splitRichText(text: string, parts: RichParts): { at: number; node: ReactNode }[] {
  const pieces: { at: number; node: ReactNode }[] = [];
  let end = 0;
  for (const match of text.matchAll(part)) {
    const [written, placeholderName, tagName, inside = ''] = match;
    if (match.index > end) pieces.push({ at: end, node: text.slice(end, match.index) });
    const value = parts[placeholderName ?? tagName ?? ''];
    pieces.push({ at: match.index, node: renderPart(value, inside) });
    end = match.index + written.length;
  }
  if (end < text.length) pieces.push({ at: end, node: text.slice(end) });
  return pieces;
}

function renderPart(value: RichParts[string], inside: string): ReactNode {
  if (typeof value === 'function') return value(inside);
  return typeof value === 'string' ? <bdi translate="no">{value}</bdi> : (value ?? inside);
}
