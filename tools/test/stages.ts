import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireChromium } from '../chromium.ts';
import { runCommand } from '../command.ts';
import { buildFrontEndWhenStale, distFolder } from '../front-end.ts';
import { cacheFolder, reportFolder } from '../root.ts';
import type { Stage, StageResult } from '../stage.ts';
import { isPortFree } from '../start/ports.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { readAcceptanceReport, readPlaywrightReport, readVitestReport } from './reports.ts';

/**
 * The groups of acceptance checks that must pass completely, because every screen and call that they use exists. Add a
 * group in the change that makes it pass.
 */
const acceptanceGroups: readonly string[] = [
  'routes-and-splash',
  'site-entry',
  'calls-and-headers',
  'second-factor',
  'site-selection',
  'layout-and-language',
];

/** The path of a stage's report; deletes the report of the previous run, so that it cannot be mistaken for this one. */
function reportFile(name: string): string {
  mkdirSync(reportFolder, { recursive: true });
  const file = join(reportFolder, name);
  rmSync(file, { force: true });
  return file;
}

/** Tests start the service and its commands many times: caching compiled code saves a third of the startup time. */
const compiled = { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') };

/** The default port of a PostgreSQL server. The store's test suites use a server on this port. */
const usualPostgresPort = 5432;

/** Twice the duration of the longest stage on a slow machine, so that only a hanging command reaches it. */
const limitMinutes = 75;

/** Unit tests of every package. The store's suites run on the embedded database and, if there is one, on PostgreSQL. */
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
    const databases = /store suites run on (.+)/.exec(output)?.[1] ?? 'unknown databases';
    return { ...result, note: `${result.note ?? ''}, store on ${databases}` };
  } finally {
    await postgres?.stop();
  }
}

/** The journeys of users, in a real browser with the real product. */
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

/** Independent black-box checks of the built front end, from the folder in `ACCEPTANCE_CHECKS`. */
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
 * The stages that run in parallel. Each stage often waits for processes, databases and pages, so two parallel sequences
 * keep both cores busy. Acceptance checks, if there are any, follow the unit tests.
 */
export function parallelStages(): readonly (readonly Stage[])[] {
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
