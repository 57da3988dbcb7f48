import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../root.ts';
import { fillPage, readIds } from './coverage.ts';

describe('the pages that list where each rule is proved', () => {
  test('ids are read from the end of a title, and not from other texts, numbers or comments', () => {
    const source = [
      "test('a code is valid once [4.8, S36]', () => {});",
      "])('%s is announced [2.29, WCAG 4.1.2, 4.1.3]', (name) => {",
      'test(`a title with ${name} [F06]`, async () => {});',
      "// test('was proved here [9.1]', () => {});",
      "describe('a list [of things]', () => expect([2.5, 'S12 and [S13] in a text']).toEqual([4.1]));",
    ].join('\n');
    expect(readIds(source)).toEqual(['4.8', 'S36', '2.29', '4.1.2', '4.1.3', 'F06']);
  });

  test('the files replace the last two columns; a rule without a test is reported unless its row gives a reason', () => {
    const proofs = new Map([
      ['2.1', { first: ['web/a.test.ts', 'web/b.test.ts'], rest: ['e2e/a.journey.ts'] }],
    ]);
    const page = [
      '| number | rule | first | rest |',
      '| --- | --- | --- | --- |',
      '| 2.1 | the empty path | `web/old.test.ts` |  |',
      '| S02 | nothing proves this | `web/old.test.ts` |  |',
      '| 1.4.2 Audio Control | A | no sound | none: there is no sound |  |',
    ];
    expect(fillPage(page.join('\n'), proofs)).toEqual({
      filled: [
        ...page.slice(0, 2),
        '| 2.1 | the empty path | `web/a.test.ts`<br>`web/b.test.ts` | `e2e/a.journey.ts` |',
        '| S02 | nothing proves this |  |  |',
        page[4],
      ].join('\n'),
      rules: ['2.1', 'S02', '1.4.2'],
      unproved: ['S02'],
    });
  });
});

const readRules = (page: string): string[] =>
  fillPage(readFileSync(join(root, page), 'utf8'), new Map()).rules;
const count = (prefix: string, last: number, digits = 1): string[] =>
  Array.from({ length: last }, (_, index) => `${prefix}${String(index + 1).padStart(digits, '0')}`);

test('the page of the specification lists each rule once', () => {
  const rules = { 2: 70, 3: 12, 4: 32, 5: 8, 6: 5, 7: 13, 8: 20, 9: 10 };
  expect(readRules('docs/specification-coverage.md')).toEqual([
    ...Object.entries(rules).flatMap(([point, last]) => count(`${point}.`, last)),
    ...count('I', 39, 2),
  ]);
});

test('the page of attacks and faults lists each entry once', () => {
  const rules = readRules('docs/security-coverage.md');
  expect(rules.toSorted()).toEqual([...count('F', 18, 2), ...count('P', 7, 2), ...count('S', 67, 2)]);
});

test('the accessibility statement covers every criterion of WCAG 2.2 to level AA', () => {
  // WCAG 2.2 to level AA has 56 criteria; 4.1.1 has been withdrawn
  const guidelines = {
    '1.1': [1],
    '1.2': [1, 2, 3, 4, 5],
    '1.3': [1, 2, 3, 4, 5],
    '1.4': [1, 2, 3, 4, 5, 10, 11, 12, 13],
    '2.1': [1, 2, 4],
    '2.2': [1, 2],
    '2.3': [1],
    '2.4': [1, 2, 3, 4, 5, 6, 7, 11],
    '2.5': [1, 2, 3, 4, 7, 8],
    '3.1': [1, 2],
    '3.2': [1, 2, 3, 4, 6],
    '3.3': [1, 2, 3, 4, 7, 8],
    '4.1': [2, 3],
  };
  const criteria = Object.entries(guidelines).flatMap(([guideline, numbers]) =>
    numbers.map((number) => `${guideline}.${number}`),
  );
  expect(readRules('docs/accessibility.md')).toEqual(criteria);
});
