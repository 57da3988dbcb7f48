import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { supportedLocales } from '../../contract/src/limits.ts';
import { root } from '../root.ts';
import { hasWord, readGlossary, wordsOf } from './glossary.ts';

const glossary = readGlossary(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
const termsOf = (locale: string): string[] => (glossary.get(locale) ?? []).map(({ term }) => term);

test('the glossary has every language, and in each the same terms', () => {
  expect([...glossary.keys()].toSorted()).toEqual([...supportedLocales].toSorted());
  for (const locale of supportedLocales) expect(termsOf(locale), locale).toEqual(termsOf('en'));
});

describe.each(supportedLocales)('%s', (locale) => {
  const texts = wordsOf(locale);
  const terms = glossary.get(locale) ?? [];

  test('says what the glossary says', () => {
    const unheard = terms.flatMap(({ said }) =>
      said.filter((word) => !texts.some((text) => hasWord(text, word))),
    );
    expect(unheard).toEqual([]);
  });

  test('never says what the glossary does not', () => {
    const heard = terms.flatMap(({ unsaid }) =>
      unsaid.flatMap((word) => texts.filter((text) => hasWord(text, word)).map((text) => `${word}: ${text}`)),
    );
    expect(heard).toEqual([]);
  });
});

test('a word is a whole one in Latin letters, and may carry an article elsewhere', () => {
  expect(hasWord('Melden Sie sich ab', 'Sie')).toBe(true);
  expect(hasWord('Das Siegel', 'Sie')).toBe(false);
  expect(hasWord('لأمانة المجلس', 'أمانة المجلس')).toBe(true);
});
