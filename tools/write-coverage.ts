// Writes the files of the tests into the tables of rules in docs/, from the ids at the end of their titles.
import { writeFileSync } from 'node:fs';
import { drawCoverage } from './check/coverage.ts';

const { files, faults } = drawCoverage();
for (const { path, filled } of files) writeFileSync(path, filled);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
