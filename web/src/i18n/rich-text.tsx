import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from './language.ts';
import type { MessageKey } from './keys.ts';

/** The node for each `{{name}}`; `<bdi>` isolates a string. */
export type RichParts = Readonly<Record<string, ReactNode>>;

interface RichTextProps {
  message: MessageKey;
  parts: RichParts;
  /** Numbers for placeholders and plural forms. */
  numbers?: Readonly<Record<string, number>>;
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * A text with inline elements, for example a name in `<bdi>`. Translators see one sentence, and nothing in it is parsed as
 * HTML. Each text has an element of its own: machine translation in the browser replaces text nodes, and React would
 * update one that is no longer in the page.
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
  for (const match of text.matchAll(placeholder)) {
    const [written, name = ''] = match;
    if (match.index > end) pieces.push({ at: end, node: text.slice(end, match.index) });
    const value = parts[name];
    const node = typeof value === 'string' ? <bdi translate="no">{value}</bdi> : value;
    pieces.push({ at: match.index, node });
    end = match.index + written.length;
  }
  if (end < text.length) pieces.push({ at: end, node: text.slice(end) });
  return pieces;
}
