import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

const page = 'docs/specification-coverage.md';

/** A test as the page names it: its file, and its title as it stands in the source. */
export interface NamedTest {
  file: string;
  title: string;
}

/** The tests in the last column of each table, and the rows that name none. */
export function readCoverage(markdown: string): { tests: NamedTest[]; rowsWithout: string[] } {
  const rows = markdown.split('\n').filter((line) => /^\| \d/.test(line));
  const tests: NamedTest[] = [];
  const rowsWithout: string[] = [];
  for (const row of rows) {
    const cells = row.split(' | ');
    const named = (cells.at(-1) ?? '')
      .replace(/\s*\|\s*$/, '')
      .split('<br>')
      .map((one) => /^`([^`]+)` › (.+)$/.exec(one.trim()))
      .filter((match) => match !== null);
    if (named.length === 0) rowsWithout.push(row);
    for (const [, file = '', title = ''] of named) tests.push({ file, title });
  }
  return { tests, rowsWithout };
}

/** Whether a source has a test, a group of tests or a row of a table of this very title. */
export function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`));
}

/** Each rule of the specification names a test that is there: a test that is renamed or removed takes its row along. */
export function checkCoverage(): Promise<StageResult> {
  const { tests, rowsWithout } = readCoverage(readFileSync(join(root, page), 'utf8'));
  const faults = [
    ...rowsWithout.map((row) => `${page} names no test in: ${row}`),
    ...tests.flatMap(({ file, title }) => {
      if (!existsSync(join(root, file))) return [`${page} names ${file}, which is not there`];
      const source = readFileSync(join(root, file), 'utf8');
      return hasTitle(source, title) ? [] : [`${file} has no test called: ${title}`];
    }),
  ];
  if (tests.length === 0) faults.push(`${page} names no test at all`);
  return Promise.resolve({
    passed: faults.length === 0 ? 1 : 0,
    failed: faults.length === 0 ? 0 : 1,
    note: `${tests.length} tests named`,
    output: faults.join('\n'),
  });
}
