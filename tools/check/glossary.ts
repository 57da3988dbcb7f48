import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localeFileVersion } from '../../contract/src/limits.ts';
import { root } from '../root.ts';

/** A row of the glossary in one language. */
export interface Term {
  term: string;
  /** Words of which each must occur in the texts of the language. */
  said: string[];
  /** Words that must not occur in the texts of the language. */
  unsaid: string[];
}

/** The tables of the glossary by language code. */
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

/** All texts of the product in a language, without placeholders. */
export function wordsOf(locale: string): string[] {
  const screens = readFileSync(
    join(root, `web/public/assets/i18n/${locale}-${localeFileVersion}.json`),
    'utf8',
  );
  const service = readFileSync(join(root, `identity/src/texts/${locale}.ts`), 'utf8');
  const consoleScreens = readFileSync(join(root, `console/src/texts/${locale}.json`), 'utf8');
  const inScreens = [...`${screens}${consoleScreens}`.matchAll(/: "((?:[^"\\]|\\.)*)"/g)];
  const inService = [...service.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)];
  const texts = [...inScreens, ...inService].map((match) => match[1] ?? match[2] ?? '');
  return texts.map((text) =>
    text
      .replaceAll(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, '…')
      // replaces non-breaking hyphens by ordinary ones
      .replaceAll('\u2011', '-'),
  );
}

/** Whether a text contains a term: as a whole word in Latin scripts; other scripts attach articles and particles to words. */
export function hasWord(text: string, word: string): boolean {
  return patternOf(word).test(text);
}

/** Whether a text contains a term that is ruled out, other than as part of a longer term that is in use. */
export function hasUnsaidWord(text: string, word: string, said: readonly string[]): boolean {
  const rest = said
    .filter((term) => hasWord(term, word))
    .reduce((remaining, term) => remaining.replaceAll(patternOf(term), '…'), text);
  return hasWord(rest, word);
}

/** An abbreviation has its capitals: "PIN" is not the verb "pin". */
const abbreviation = /^\p{Lu}{2,}$/u;

function patternOf(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const isLatin = /^\p{Script=Latin}/u.test(word);
  return new RegExp(
    isLatin ? String.raw`(?<![\p{L}-])${escaped}(?![\p{L}])` : escaped,
    abbreviation.test(word) ? 'gu' : 'giu',
  );
}
