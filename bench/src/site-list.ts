import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@anteroom/contract';
import { demoParty, demoPassword } from '@anteroom/testkit/demo-users';
import { beginSignIn } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import { seedManySites } from '../../identity/testing/many-sites.ts';
import { buildFrontEndWhenStale } from '../../tools/front-end.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import { launchChromium } from './chromium.ts';
import { median } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { addPerson, prepareDatabase } from './people.ts';
import { load, signIn } from './site-list-load.ts';
import type { Load } from './site-list-load.ts';

const demoPort = 4401;
const party = demoParty(demoPort);

/**
 * Three users: with few sites, with many, and with the maximum. The service selects the sites of the last user from
 * 50,000.
 */
const lists = [
  { sites: 5, groups: 1, all: 5 },
  { sites: 200, groups: 10, all: 200 },
  { sites: 2_000, groups: 100, all: 50_000 },
] as const;

const loads = 3;
/** Enough calls for the CPU clock, which has a resolution of milliseconds. */
const serverCalls = 40;

const userNameOf = (sites: number): string => `member-of-${sites}@bench.example`;

async function seed(folder: string): Promise<void> {
  await prepareDatabase({ DATA_DIR: folder }, demoPort, async (database, passwordHash) => {
    for (const { sites, groups, all } of lists) {
      const person = { name: userNameOf(sites), siteId: undefined, passwordHash, mustChange: false };
      const id = await addPerson(database, person);
      await seedManySites(database, { all, own: sites, groups }, id, new Date());
    }
  });
}

/** The service's CPU time for one response with the list, from its metrics. */
async function measureServerMs(issuer: string, metricsPort: number, userName: string): Promise<number> {
  const visitor = createVisitor();
  const { returnUrl } = await beginSignIn(visitor, issuer, party);
  await visitor.ask(`${issuer}${calls.authenticate.path}`, {
    body: { returnUrl, userName, password: demoPassword },
  });
  const address = `${issuer}${calls.getSites.path}?${new URLSearchParams({ returnUrl }).toString()}`;
  const ask = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const { status } = await visitor.ask(address);
      if (status !== 200) throw new Error(`The list answered ${status}.`);
    }
  };
  // the first calls warm up the code
  await ask(serverCalls);
  const before = await processorSeconds(metricsPort);
  await ask(serverCalls);
  return ((await processorSeconds(metricsPort)) - before) * (1000 / serverCalls);
}

async function processorSeconds(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
  return Number(/^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

function toFigures(sites: number, measured: readonly Load[], serverMs: number): Figure[] {
  const of = (name: keyof Load): number => median(measured.map((one) => one[name]));
  const worst = (name: keyof Load): number => Math.max(...measured.map((one) => one[name]));
  const least = (name: keyof Load): number => Math.min(...measured.map((one) => one[name]));
  const isMost = sites === lists.at(-1)?.sites;
  const what = (figure: string): string => `${sites} sites: ${figure}`;
  return [
    {
      what: what('usable'),
      value: of('usableMs'),
      unit: 'ms',
      ...(isMost && { budget: { atMost: 1000 } }),
    },
    {
      what: what('longest task while scrolling'),
      value: of('longestTaskMs'),
      unit: 'ms',
      ...(isMost && { budget: { atMost: 50 } }),
    },
    // CPU time, which other load on the machine does not affect
    {
      what: what('the same by processor time of the page alone'),
      value: of('longestTaskProcessorMs'),
      unit: 'ms',
    },
    {
      what: what('most to-do calls at once'),
      value: worst('callsInFlight'),
      unit: 'calls',
      budget: { atMost: 6 },
    },
    {
      what: what('first to-do calls for what is in view'),
      value: least('inViewFirstPercent'),
      unit: '%',
      budget: { atLeast: 100 },
    },
    { what: what('processor time of the service for the list'), value: serverMs, unit: 'ms' },
  ];
}

async function run(): Promise<Figure[]> {
  await buildFrontEndWhenStale();
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  await seed(folder);
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    METRICS_PORT: String(metricsPort),
  });
  const issuer = `http://localhost:${port}`;
  const browser = await launchChromium();
  try {
    await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
    const figures: Figure[] = [];
    for (const { sites } of lists) {
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
      const address = await signIn(context, { issuer, party, userName: userNameOf(sites) });
      // the first load fills the browser's cache
      await load(browser, context, address);
      const measured: Load[] = [];
      while (measured.length < loads) measured.push(await load(browser, context, address));
      await context.close();
      figures.push(
        ...toFigures(sites, measured, await measureServerMs(issuer, metricsPort, userNameOf(sites))),
      );
    }
    return figures;
  } finally {
    await browser.close();
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

export const siteList: Bench = {
  name: 'site-list',
  about: 'the list of sites with 5, 200 and 2,000 of them',
  run,
};
