import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '../../contract/src/index.ts';
import { localeFileVersion } from '../../contract/src/limits.ts';
import { pageWords } from '../../identity/src/regions/page-words.ts';
import { root } from '../root.ts';

/** The words of one thing in one language. */
export interface Term {
  term: string;
  /** Each of these occurs in the texts of the language. */
  said: string[];
  /** None of these does. */
  unsaid: string[];
}

/** The tables of the glossary, one for each language, by its code. */
export function readGlossary(markdown: string): Map<string, Term[]> {
  const sections = markdown.split(/^## /m).slice(1);
  const languages = sections.flatMap((section): [string, Term[]][] => {
    const locale = /^[^\n]*\((\w\w)\)\n/.exec(section)?.[1];
    if (locale === undefined) return [];
    const rows = section.split('\n').filter((line) => line.startsWith('| '));
    return [[locale, rows.slice(2).map(readTerm)]];
  });
  return new Map(languages);
}

function readTerm(row: string): Term {
  const [, term = '', said = '', unsaid = ''] = row.split('|').map((cell) => cell.trim());
  return { term, said: said.split(', '), unsaid: unsaid.split(', ') };
}

/** The name of the file with the letters of a language. */
const lettersIn: Readonly<Record<string, string>> = {
  en: 'english',
  de: 'german',
  es: 'spanish',
  fr: 'french',
  it: 'italian',
  nl: 'dutch',
  pt: 'portuguese',
  zh: 'chinese',
  ja: 'japanese',
  ar: 'arabic',
  he: 'hebrew',
};

/** Everything that the product says in a language, without the places that are filled in. */
export function wordsOf(locale: string): string[] {
  const screens = readFileSync(
    join(root, `web/public/assets/i18n/${locale}-${localeFileVersion}.json`),
    'utf8',
  );
  const service = globSync(
    [`identity/src/messages/texts/${locale}.ts`, `identity/src/recovery/mails/words/${lettersIn[locale]}.ts`],
    { cwd: root },
  ).map((file) => readFileSync(join(root, file), 'utf8'));
  const inRegions = Object.values(pageWords[locale as Locale]);
  const inScreens = [...screens.matchAll(/: "((?:[^"\\]|\\.)*)"/g)];
  const inService = service.flatMap((source) => [
    ...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g),
  ]);
  const texts = [...inScreens, ...inService].map((match) => match[1] ?? match[2] ?? '');
  return [...texts, ...inRegions].map((text) =>
    text
      .replaceAll(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, '…')
      // a hyphen at which no line breaks is one all the same
      .replaceAll('\u2011', '-'),
  );
}

/** Whether a text has a word: a whole one in Latin letters; the other scripts write articles and particles onto their words. */
export function hasWord(text: string, word: string): boolean {
  if (!/^\p{Script=Latin}/u.test(word)) return text.includes(word);
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}-])${escaped}(?![\p{L}])`, 'iu').test(text);
}
