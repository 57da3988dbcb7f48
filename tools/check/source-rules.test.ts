import { describe, expect, test } from 'vitest';
import { findBreaches } from './source-rules.ts';

describe('the source rules', () => {
  test.each([
    ['web/src/a.ts', 'const a = b as unknown as string;'],
    ['web/src/a.ts', '// oxlint-disable-next-line no-console'],
    ['e2e/journeys/a.journey.ts', 'await page.waitForTimeout(300);'],
    ['web/src/a.test.ts', 'await wait(300);'],
    ['web/src/a.test.ts', 'setTimeout(() => done(), 300);'],
    ['web/src/a.test.ts', "test.skip('a rule', () => {});"],
    ['web/src/a.ts', '// @ts-expect-error because'],
    ['identity/src/sign-in/a.ts', "database.updateTable('sign_ins')"],
    ['identity/src/provider/a.ts', 'update sign_ins set finished_at = now()'],
  ])('%s: %s is rejected', (file, line) => {
    expect(findBreaches(file, `first\n${line}`)).toMatchObject([{ line: 2 }]);
  });

  test.each([
    ['web/src/a.ts', '// oxlint-disable-next-line no-console -- a script for a terminal'],
    ['web/src/a.ts', 'setTimeout(() => done(), 300);'],
    ['web/src/a.ts', 'const a = b as string;'],
    ['identity/src/sign-in/sign-ins-store.ts', "database.updateTable('sign_ins')"],
    ['web/src/a.test.ts', '// @ts-expect-error A missing call does not compile.'],
  ])('%s: %s is accepted', (file, line) => {
    expect(findBreaches(file, line)).toEqual([]);
  });
});
