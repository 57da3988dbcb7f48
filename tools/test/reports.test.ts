import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readAcceptanceReport, readPlaywrightReport, readVitestReport } from './reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'anteroom-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function report(content: object): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const vitest = { numPassedTests: 12, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };

describe('the summary line counts the tests that actually ran', () => {
  test('a successful run counts its tests', () => {
    expect(readVitestReport(report(vitest), 0, '')).toMatchObject({ passed: 12, failed: 0 });
  });

  test('every failure is counted', () => {
    expect(readVitestReport(report({ ...vitest, numFailedTests: 2 }), 1, 'why')).toMatchObject({
      failed: 2,
      output: 'why',
    });
  });

  test('a run that fails without a failed test counts as a failure', () => {
    expect(readVitestReport(report(vitest), 1, '')).toMatchObject({ passed: 12, failed: 1 });
  });

  test('a run without a report is a failure', () => {
    expect(readVitestReport(join(folder, 'missing.json'), 0, '')).toMatchObject({ passed: 0, failed: 1 });
    expect(readPlaywrightReport(join(folder, 'missing.json'), 0, '')).toMatchObject({ passed: 0, failed: 1 });
    expect(readAcceptanceReport(join(folder, 'missing.json'), '')).toMatchObject({ passed: 0, failed: 1 });
  });

  test('a journey that passes only when repeated is a failure', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 0 };
    expect(readPlaywrightReport(report({ stats }), 1, '')).toMatchObject({ passed: 3, failed: 2 });
  });

  test('a skipped journey does not count as passed, and the note gives the reason', () => {
    const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 2 };
    const annotations = [{ type: 'skip', description: 'needs the Debian packages apache2' }];
    const suites = [{ specs: [{ tests: [{ annotations }, { annotations }] }] }];
    expect(readPlaywrightReport(report({ stats, suites }), 0, '')).toMatchObject({
      passed: 3,
      failed: 0,
      note: '3 journeys, 2 not run: needs the Debian packages apache2',
    });
  });

  test('missing acceptance checks are a failure', () => {
    expect(readAcceptanceReport(report({ held: 0, of: 0 }), '')).toMatchObject({ passed: 0, failed: 1 });
    expect(readAcceptanceReport(report({ held: 9, of: 10 }), '')).toMatchObject({ passed: 9, failed: 1 });
  });
});
