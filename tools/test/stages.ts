import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireChromium } from '../chromium.ts';
import { runCommand } from '../command.ts';
import { buildFrontEndWhenStale, distFolder } from '../front-end.ts';
import { cacheFolder, reportFolder } from '../root.ts';
import type { Stage, StageResult } from '../stage.ts';
import { isPortFree } from '../start/ports.ts';
import { acceptanceGroups } from './acceptance-groups.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { readAcceptanceReport, readPlaywrightReport, readVitestReport } from './reports.ts';

/** Where a stage writes its report; the one of the last run is taken away first, so that it cannot speak for this one. */
function reportFile(name: string): string {
  mkdirSync(reportFolder, { recursive: true });
  const file = join(reportFolder, name);
  rmSync(file, { force: true });
  return file;
}

/** The tests start the service and its commands many times over: what Node has compiled once need not be compiled again, a third of such a start. */
const compiled = { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') };

/** Where a machine that runs PostgreSQL for tests has it: the store's suites look there by themselves. */
const usualPostgresPort = 5432;

/** Several times what the longest of the stages below takes: only one that hangs meets it. */
const limitMinutes = 40;

/** Rules of every package. The suites of the store run on the embedded database and, where there is one, on PostgreSQL. */
async function runUnitTests(): Promise<StageResult> {
  const hasServer =
    Boolean(process.env['TEST_DATABASE_URL']) || !(await isPortFree(usualPostgresPort, '127.0.0.1'));
  const postgres = hasServer ? undefined : await startTemporaryPostgres();
  try {
    const file = reportFile('vitest.json');
    const { exitCode, output } = await runCommand(
      'vitest',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      { env: { ...compiled, ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}) }, limitMinutes },
    );
    const result = readVitestReport(file, exitCode, output);
    const databases = /store suites run on (.+)/.exec(output)?.[1] ?? 'databases not told';
    return { ...result, note: `${result.note ?? ''}, store on ${databases}` };
  } finally {
    await postgres?.stop();
  }
}

/** What people want to do, in a real browser against the real product. */
async function runJourneys(): Promise<StageResult> {
  const chromium = await requireChromium();
  await buildFrontEndWhenStale();
  const file = reportFile('journeys.json');
  const { exitCode, output } = await runCommand(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts'],
    {
      env: { ...compiled, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
      limitMinutes,
    },
  );
  return readPlaywrightReport(file, exitCode, output);
}

/** Independent black-box checks of the built front end, from the folder that `ACCEPTANCE_CHECKS` names. */
async function runAcceptanceChecks(folder: string): Promise<StageResult> {
  const chromium = await requireChromium();
  await buildFrontEndWhenStale();
  const file = reportFile('acceptance.json');
  const only = acceptanceGroups.join('|');
  const { output } = await runCommand(
    process.execPath,
    [join(folder, 'run.mjs'), '--dist', distFolder, '--only', only, '--json', file],
    { env: { CHROMIUM: chromium }, limitMinutes },
  );
  return readAcceptanceReport(file, output);
}

/**
 * What runs beside what. Each of these waits for much of its time, for processes, databases and pages: two lanes keep both cores busy. The
 * acceptance checks, if there are any, take the place of the tests once those are done.
 */
export function testLanes(): readonly (readonly Stage[])[] {
  const acceptance = process.env['ACCEPTANCE_CHECKS'];
  return [
    [
      { name: 'tests', run: runUnitTests },
      ...(acceptance
        ? [{ name: 'acceptance checks', run: async () => runAcceptanceChecks(acceptance) }]
        : []),
    ],
    [{ name: 'journeys', run: runJourneys }],
  ];
}
