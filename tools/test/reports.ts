import { existsSync, readFileSync } from 'node:fs';
import type { StageResult } from '../stage.ts';

// Reads reports in third-party formats. Only the numbers of the summary are parsed; a report without them counts as a
// failure.

function readReport(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof report === 'object' && report !== null ? { ...report } : {};
}

function numberIn(report: Record<string, unknown>, name: string): number {
  const value = report[name];
  if (typeof value !== 'number') throw new Error(`The report has no number "${name}".`);
  return value;
}

/** Adds a failure for a run that did not succeed although its report has no failures: it has failed outside a test. */
function settle(passed: number, failed: number, exitCode: number, output: string): StageResult {
  const unreported = failed === 0 && exitCode !== 0 ? 1 : 0;
  return { passed, failed: failed + unreported, output };
}

/** Reads the report of Vitest's `json` reporter. */
export function readVitestReport(file: string, exitCode: number, output: string): StageResult {
  const report = readReport(file);
  if (Object.keys(report).length === 0) return { passed: 0, failed: 1, output };
  const skipped = numberIn(report, 'numPendingTests') + numberIn(report, 'numTodoTests');
  const failed = numberIn(report, 'numFailedTests');
  const result = settle(numberIn(report, 'numPassedTests'), failed, exitCode, output);
  return { ...result, note: `${result.passed} tests${skipped > 0 ? `, ${skipped} not run` : ''}` };
}

/** Reads the report of Playwright's `json` reporter. A journey that passes only when repeated counts as a failure. */
export function readPlaywrightReport(file: string, exitCode: number, output: string): StageResult {
  const report = readReport(file);
  const stats = report['stats'];
  if (typeof stats !== 'object' || stats === null) return { passed: 0, failed: 1, output };
  const counts = { ...stats } as Record<string, unknown>;
  const failed = numberIn(counts, 'unexpected') + numberIn(counts, 'flaky');
  const result = settle(numberIn(counts, 'expected'), failed, exitCode, output);
  const skipped = numberIn(counts, 'skipped');
  const why = [...new Set(findSkipReasons(report))].join('; ');
  return {
    ...result,
    note: `${result.passed} journeys${skipped > 0 ? `, ${skipped} not run: ${why}` : ''}`,
  };
}

/** The reasons of skipped journeys; their annotations are deeply nested in the report. */
function findSkipReasons(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, description }: { type?: unknown; description?: unknown } = value;
  return type === 'skip' && typeof description === 'string'
    ? [description]
    : Object.values(value).flatMap(findSkipReasons);
}

/** Reads the report of the acceptance checks. */
export function readAcceptanceReport(file: string, output: string): StageResult {
  const report = readReport(file);
  if (Object.keys(report).length === 0) return { passed: 0, failed: 1, output };
  const passed = numberIn(report, 'held');
  const of = numberIn(report, 'of');
  return { passed, failed: of === 0 ? 1 : of - passed, note: `${passed} of ${of} hold`, output };
}
