import { localeFileVersion } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { ThemeError } from './theme-file.ts';

type Tree = { [name: string]: string | Tree };

/** A locale file of the build by its path below `/ui/`. */
export type LocaleFiles = ReadonlyMap<string, Tree>;

/** The placeholders of a text. */
const partsOf = (text: string): string[] => [...new Set(text.match(/\{\{\s*\w+\s*\}\}/g))].toSorted();

/** The folders of the groups that are in separate files (`vite/split-texts.ts`), and that of the others. */
export function localePath(locale: Locale, group = ''): string {
  return `assets/i18n/${group && `${group}/`}${locale}-${localeFileVersion}.json`;
}

/**
 * Puts the texts of a theme into the locale files of a language; returns the texts that they replace.
 * @throws ThemeError if there is no text with a key, or if it has other placeholders
 */
export function applyTexts(
  files: LocaleFiles,
  locale: Locale,
  texts: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(texts).map(([key, text]) => {
    const place = `texts.${locale}.${key}`;
    const names = key.split('.');
    const last = names.pop() ?? '';
    const file = files.get(localePath(locale, key.split('.')[0])) ?? files.get(localePath(locale)) ?? {};
    const parent = names.reduce<string | Tree | undefined>(memberOf, file);
    const original = memberOf(parent, last);
    if (typeof parent !== 'object' || original === undefined)
      throw new ThemeError(`${place}: there is no such text. ${localePath(locale)} has the keys.`);
    if (typeof original !== 'string')
      throw new ThemeError(
        `${place}: is a group. Name one of ${Object.keys(original)
          .map((name) => `${key}.${name}`)
          .join(', ')}.`,
      );
    if (text.trim() === '') throw new ThemeError(`${place}: is empty. Write a text, or remove the key.`);
    const [needed, found] = [partsOf(original), partsOf(text)];
    if (needed.join(' ') !== found.join(' '))
      throw new ThemeError(
        `${place}: must contain ${needed.join(' and ') || 'no placeholder'}, as the original does: ${JSON.stringify(original)}.`,
      );
    parent[last] = text;
    return original;
  });
}

function memberOf(tree: string | Tree | undefined, name: string): string | Tree | undefined {
  return typeof tree === 'object' && Object.hasOwn(tree, name) ? tree[name] : undefined;
}

/** Whether a page shows one of the texts. Placeholders split a text into pieces. */
export function showsText(page: string, texts: readonly string[]): boolean {
  const shown = page
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
  return texts.some((text) =>
    text.split(/\{\{.*?\}\}/).some((piece) => piece.trim() !== '' && shown.includes(piece)),
  );
}
