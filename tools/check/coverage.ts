import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

/** The pages that list the tests of each rule. On some pages, a row can give a reason instead of a test. */
const pages = [
  { page: 'docs/specification-coverage.md', mayGiveReason: false },
  { page: 'docs/accessibility.md', mayGiveReason: true },
  { page: 'docs/security-coverage.md', mayGiveReason: true },
];

/** A test as listed on a page: its file, and its title as written in the source. */
export interface NamedTest {
  file: string;
  title: string;
}

/** The tests in the last column of each table, the rows without a test, and those with a reason. */
export function readCoverage(markdown: string): {
  tests: NamedTest[];
  rowsWithout: string[];
  rowsWithReason: string[];
} {
  const rows = markdown.split('\n').filter((line) => /^\| [SF]?\d/.test(line));
  const tests: NamedTest[] = [];
  const rowsWithout: string[] = [];
  const rowsWithReason: string[] = [];
  for (const row of rows) {
    const cells = row.split(' | ');
    const named = (cells.at(-1) ?? '')
      .replace(/\s*\|\s*$/, '')
      .split('<br>')
      .map((one) => /^`([^`]+)` › (.+)$/.exec(one.trim()))
      .filter((match) => match !== null);
    if (named.length === 0) (cells.at(-1)?.startsWith('none: ') ? rowsWithReason : rowsWithout).push(row);
    for (const [, file = '', title = ''] of named) tests.push({ file, title });
  }
  return { tests, rowsWithout, rowsWithReason };
}

/** Whether a source has a test, a group of tests or a table row with exactly this title. */
export function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`));
}

/** The faults of a page, and the number of its tests. */
function examine({ page, mayGiveReason }: (typeof pages)[number]): { faults: string[]; named: number } {
  const { tests, rowsWithout, rowsWithReason } = readCoverage(readFileSync(join(root, page), 'utf8'));
  const silent = mayGiveReason ? rowsWithout : [...rowsWithout, ...rowsWithReason];
  const faults = [
    ...silent.map((row) => `${page} names no test in: ${row}`),
    ...tests.flatMap(({ file, title }) => {
      if (!existsSync(join(root, file))) return [`${page} names ${file}, which is not there`];
      const source = readFileSync(join(root, file), 'utf8');
      return hasTitle(source, title) ? [] : [`${file} has no test with the title: ${title}`];
    }),
  ];
  if (tests.length === 0) faults.push(`${page} names no test at all`);
  return { faults, named: tests.length };
}

/**
 * Checks that each rule and each criterion lists an existing test. Renaming or removing a test then requires a change
 * of its row.
 */
export function checkCoverage(): Promise<StageResult> {
  const found = pages.map(examine);
  const faults = found.flatMap((page) => page.faults);
  return Promise.resolve({
    passed: faults.length === 0 ? 1 : 0,
    failed: faults.length === 0 ? 0 : 1,
    note: `${found.reduce((sum, { named }) => sum + named, 0)} tests named`,
    output: faults.join('\n'),
  });
}
