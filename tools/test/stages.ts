import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireChromium } from '../chromium.ts';
import { runCommand } from '../command.ts';
import { buildFrontEndWhenStale, distFolder } from '../front-end.ts';
import { cacheFolder, reportFolder, root } from '../root.ts';
import type { Stage, StageResult } from '../stage.ts';
import { isPortFree } from '../start/ports.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { readAcceptanceReport, readPlaywrightReport, readVitestReport } from './reports.ts';
import { findTestsOf } from './tiers.ts';
import type { Tier } from './tiers.ts';

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

/** Several times the duration of the longest stage on a slow machine, so that only a hanging command reaches it. */
const limitMinutes = 60;

/** Runs tests with PostgreSQL: the server that answers at its usual port, or a temporary one if it is installed. */
async function withPostgres<T>(run: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  const hasServer =
    Boolean(process.env['TEST_DATABASE_URL']) || !(await isPortFree(usualPostgresPort, '127.0.0.1'));
  const postgres = hasServer ? undefined : await startTemporaryPostgres();
  try {
    return await run(postgres ? { TEST_DATABASE_URL: postgres.url } : {});
  } finally {
    await postgres?.stop();
  }
}

/** Runs test files with Vitest. `databases` is the value of `TEST_DATABASES`. */
async function runVitest(name: string, files: readonly string[], databases?: string): Promise<StageResult> {
  const file = reportFile(`${name}.json`);
  return await withPostgres(async (env) => {
    const { exitCode, output } = await runCommand(
      'vitest',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...files],
      { env: { ...compiled, ...env, ...(databases && { TEST_DATABASES: databases }) }, limitMinutes },
    );
    const result = readVitestReport(file, exitCode, output);
    const kinds = /store suites run on (.+)/.exec(output)?.[1] ?? 'unknown databases';
    return { ...result, note: `${result.note ?? ''}, store on ${kinds}` };
  });
}

/** Whether a test uses a database of the kinds of the run, so that it must also pass on the other kind. */
const usesStore = (path: string): boolean =>
  /\b(?:describeStore|databaseKinds|openTestDatabase|useApplication|useRegions)\b/.test(
    readFileSync(join(root, path), 'utf8'),
  );

/** Runs the journeys of a tier, in a real browser with the real product. */
async function runJourneys(tier: Tier): Promise<StageResult> {
  const chromium = await requireChromium();
  await buildFrontEndWhenStale();
  const file = reportFile(`journeys-${tier}.json`);
  const { exitCode, output } = await runCommand(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts', ...findTestsOf(tier, 'playwright')],
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
 * The stages of a tier that run in parallel. Each stage often waits for processes, databases and pages, so two parallel
 * sequences keep both cores busy. Acceptance checks, if there are any, follow the unit tests of the first tier.
 */
export function parallelStages(tier: Tier): readonly (readonly Stage[])[] {
  const acceptance = process.env['ACCEPTANCE_CHECKS'];
  const tests = findTestsOf(tier, 'vitest');
  const journeys = { name: 'journeys', run: async () => runJourneys(tier) };
  if (tier === 'first')
    return [
      [
        { name: 'tests', run: async () => runVitest('tests', tests, 'first') },
        ...(acceptance
          ? [{ name: 'acceptance checks', run: async () => runAcceptanceChecks(acceptance) }]
          : []),
      ],
      [journeys],
    ];
  const onOtherDatabase = findTestsOf('first', 'vitest').filter(usesStore);
  return [
    [
      { name: 'tests', run: async () => runVitest('rest', tests) },
      {
        name: 'the other database',
        run: async () => runVitest('other-database', onOtherDatabase, 'other'),
      },
    ],
    [journeys],
  ];
}
