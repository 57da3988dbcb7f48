import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../tools/command.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';
import { isPortFree } from '../../tools/start/ports.ts';
import type { Bench, Figure } from './figure.ts';

const suites = 'identity/testing/nodes';

/** The suites of faults that every run of the tests has a little of, at their full counts; with CHAOS=little as in the tests. */
async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  const report = join(folder, 'figures');
  const hasServer = Boolean(process.env['TEST_DATABASE_URL']) || !(await isPortFree(5432, '127.0.0.1'));
  const postgres = hasServer ? undefined : await startTemporaryPostgres();
  try {
    const { exitCode, output } = await runCommand(
      'vitest',
      // one after the other: each has the machine to itself
      ['run', '--no-file-parallelism', suites],
      {
        env: {
          CHAOS: process.env['CHAOS'] ?? 'full',
          CHAOS_REPORT: report,
          ...(postgres && { TEST_DATABASE_URL: postgres.url }),
        },
        show: true,
      },
    );
    if (!existsSync(report)) throw new Error(`The suites told nothing:\n${output}`);
    const told = readFileSync(report, 'utf8').trimEnd().split('\n');
    return [
      ...told.map((line) => JSON.parse(line) as Figure),
      { what: 'suites that failed', value: exitCode === 0 ? 0 : 1, unit: 'calls', budget: { atMost: 0 } },
    ];
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const chaos: Bench = {
  name: 'chaos',
  about: 'processes killed, the database taken away, nodes restarted under load: full counts, twenty minutes',
  run,
};
