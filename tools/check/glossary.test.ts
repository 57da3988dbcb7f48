import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { supportedLocales } from '../../contract/src/languages.ts';
import { root } from '../root.ts';
import { hasUnsaidWord, hasWord, readGlossary, wordsOf } from './glossary.ts';

const glossary = readGlossary(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
const termsOf = (locale: string): string[] => (glossary.get(locale) ?? []).map(({ term }) => term);

test('the glossary has every language, with the same terms in each', () => {
  expect([...glossary.keys()].toSorted()).toEqual([...supportedLocales].toSorted());
  for (const locale of supportedLocales) expect(termsOf(locale), locale).toEqual(termsOf('en'));
});

describe.each(supportedLocales)('%s', (locale) => {
  const texts = wordsOf(locale);
  const terms = glossary.get(locale) ?? [];

  test('uses the terms of the glossary', () => {
    const unheard = terms.flatMap(({ said }) =>
      said.filter((word) => !texts.some((text) => hasWord(text, word))),
    );
    expect(unheard).toEqual([]);
  });

  test('avoids the terms that the glossary rules out [WCAG 3.2.4]', () => {
    const heard = terms.flatMap(({ said, unsaid }) =>
      unsaid.flatMap((word) =>
        texts.filter((text) => hasUnsaidWord(text, word, said)).map((text) => `${word}: ${text}`),
      ),
    );
    expect(heard).toEqual([]);
  });
});

test('terms match whole words in Latin scripts, and may have an attached article in others', () => {
  expect(hasWord('Melden Sie sich ab', 'Sie')).toBe(true);
  expect(hasWord('Das Siegel', 'Sie')).toBe(false);
  expect([hasWord('Your PIN', 'PIN'), hasWord('Pin a board', 'PIN')]).toEqual([true, false]);
  expect(hasWord('لأمانة المجلس', 'أمانة المجلس')).toBe(true);
});

test('a term that is ruled out may be part of a longer term that is in use', () => {
  expect(hasUnsaidWord('Nom du portail oublié', 'portail', ['nom du portail'])).toBe(false);
  expect(hasUnsaidWord('Changer de portail', 'portail', ['nom du portail'])).toBe(true);
});
