import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from './language.ts';
import type { MessageKey } from './keys.ts';

/** What stands for a `{{name}}` (a node) or draws a `<name>…</name>` (a function of the text inside). */
export type RichParts = Readonly<Record<string, ReactNode | ((text: string) => ReactNode)>>;

interface RichTextProps {
  message: MessageKey;
  parts: RichParts;
  /** Numbers that the text says or counts by. Words come as parts: in here a visitor's `<link>` would be read as ours. */
  numbers?: Readonly<Record<string, number>>;
}

/** `{{name}}` or `<name>text</name>`. */
const part = /\{\{\s*(\w+)\s*\}\}|<(\w+)>(.*?)<\/\2>/g;

/**
 * A text with elements in it: a name in `<bdi>`, a link around some of its words. The words stay one sentence for translators, and
 * nothing of it is read as HTML.
 */
export function RichText({ message, parts, numbers = {} }: RichTextProps): ReactNode {
  const { t } = useLanguage();
  // each part's placeholder stands for itself, so that the text arrives whole and is cut here
  const uncut = Object.fromEntries(Object.keys(parts).map((name) => [name, `{{${name}}}`]));
  const text = t(message, { ...uncut, ...numbers });
  return splitRichText(text, parts).map(({ at, node }) => <Fragment key={at}>{node}</Fragment>);
}

/** The pieces of a text, each with the position it starts at. */
export function splitRichText(text: string, parts: RichParts): { at: number; node: ReactNode }[] {
  const pieces: { at: number; node: ReactNode }[] = [];
  let end = 0;
  for (const match of text.matchAll(part)) {
    const [written, placeholderName, tagName, inside = ''] = match;
    if (match.index > end) pieces.push({ at: end, node: text.slice(end, match.index) });
    const given = parts[placeholderName ?? tagName ?? ''];
    pieces.push({ at: match.index, node: typeof given === 'function' ? given(inside) : (given ?? inside) });
    end = match.index + written.length;
  }
  if (end < text.length) pieces.push({ at: end, node: text.slice(end) });
  return pieces;
}
