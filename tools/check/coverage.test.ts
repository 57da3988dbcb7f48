import { describe, expect, test } from 'vitest';
import { hasTitle, readCoverage } from './coverage.ts';

describe('the page that says which test proves which rule', () => {
  test('is read by the last column of its tables', () => {
    const { tests, rowsWithout } = readCoverage(
      [
        '| rule | in a few words | lives in | proved by |',
        '| --- | --- | --- | --- |',
        '| 2.1 | the empty path | `web/a.ts` | `e2e/a.journey.ts` › one, with a comma<br>`web/a.test.ts` › two |',
        '| 2.2 | nothing proves this | `web/a.ts` | later |',
      ].join('\n'),
    );
    expect(tests).toEqual([
      { file: 'e2e/a.journey.ts', title: 'one, with a comma' },
      { file: 'web/a.test.ts', title: 'two' },
    ]);
    expect(rowsWithout).toEqual(['| 2.2 | nothing proves this | `web/a.ts` | later |']);
  });

  test('names a test by its whole title, and a title in a comment is none', () => {
    const source =
      "// about 'one thing' and more\ntest('one thing more', () => {});\ntest(`a ${b}`, async () => {});";
    expect(hasTitle(source, 'one thing')).toBe(false);
    expect(hasTitle(source, 'one thing more')).toBe(true);
    expect(hasTitle(source, 'a ${b}')).toBe(true);
  });
});
