import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../root.ts';
import { hasTitle, readCoverage } from './coverage.ts';

describe('the pages that list the tests of each rule', () => {
  test('tests are read from the last column of the tables', () => {
    const { tests, rowsWithout, rowsWithReason } = readCoverage(
      [
        '| rule | in a few words | lives in | proved by |',
        '| --- | --- | --- | --- |',
        '| 2.1 | the empty path | `web/a.ts` | `e2e/a.journey.ts` › one, with a comma<br>`web/a.test.ts` › two |',
        '| 2.2 | nothing proves this | `web/a.ts` | later |',
        '| 2.3 | nothing can | `web/a.ts` | none: there is no such thing |',
      ].join('\n'),
    );
    expect(tests).toEqual([
      { file: 'e2e/a.journey.ts', title: 'one, with a comma' },
      { file: 'web/a.test.ts', title: 'two' },
    ]);
    expect(rowsWithout).toEqual(['| 2.2 | nothing proves this | `web/a.ts` | later |']);
    expect(rowsWithReason).toEqual(['| 2.3 | nothing can | `web/a.ts` | none: there is no such thing |']);
  });

  test('a test is found only by its whole title, and not in a comment', () => {
    const source =
      "// about 'one thing' and more\ntest('one thing more', () => {});\ntest(`a ${b}`, async () => {});";
    expect(hasTitle(source, 'one thing')).toBe(false);
    expect(hasTitle(source, 'one thing more')).toBe(true);
    expect(hasTitle(source, 'a ${b}')).toBe(true);
  });
});

test('the page of attacks and faults lists each entry, S01 to S67 and F01 to F18, once', () => {
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`);
  const page = readFileSync(join(root, 'docs/security-coverage.md'), 'utf8');
  expect([...page.matchAll(/^\| ([SF]\d\d) /gm)].map(([, number]) => number)).toEqual([
    ...numbered('S', 67),
    ...numbered('F', 18),
  ]);
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
  const statement = readFileSync(join(root, 'docs/accessibility.md'), 'utf8');
  expect([...statement.matchAll(/^\| (\d[\d.]*) /gm)].map(([, number]) => number)).toEqual(criteria);
});
