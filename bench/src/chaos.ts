import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../tools/command.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';
import { isPortFree } from '../../tools/start/ports.ts';
import type { Bench, Figure } from './figure.ts';

/** Runs test suites with full counts. Returns the figures that they report, and whether a suite failed. */
async function runSuites(suites: string, env: Record<string, string>): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  const report = join(folder, 'figures');
  const hasServer = Boolean(process.env['TEST_DATABASE_URL']) || !(await isPortFree(5432, '127.0.0.1'));
  const postgres = hasServer ? undefined : await startTemporaryPostgres();
  try {
    const { exitCode, output } = await runCommand(
      'vitest',
      // runs the suites sequentially, because each needs the whole machine
      ['run', '--no-file-parallelism', suites],
      {
        env: { ...env, CHAOS_REPORT: report, ...(postgres && { TEST_DATABASE_URL: postgres.url }) },
        show: true,
      },
    );
    if (!existsSync(report)) throw new Error(`The suites reported nothing:\n${output}`);
    const lines = readFileSync(report, 'utf8').trimEnd().split('\n');
    return [
      ...lines.map((line) => JSON.parse(line) as Figure),
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
  // CHAOS=little uses the counts of the normal tests
  run: () => runSuites('identity/testing/nodes', { CHAOS: process.env['CHAOS'] ?? 'full' }),
};

export const failover: Bench = {
  name: 'failover',
  about:
    'the primary of PostgreSQL lost under load, with promotion by an operator and by Patroni with etcd: ten minutes',
  run: () => runSuites('identity/testing/nodes/failover', { CHAOS: process.env['CHAOS'] ?? 'full' }),
};

export const sequences: Bench = {
  name: 'sequences',
  about:
    '50,000 random sequences of two people and two browsers on two nodes, 2,500 over two regions: an hour or two',
  run: () =>
    runSuites('identity/testing/two-users', {
      MODEL_SEQUENCES: process.env['MODEL_SEQUENCES'] ?? '50000',
    }),
};
