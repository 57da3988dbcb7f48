import { startTestProduct } from '@anteroom/testkit';
import type { Browser } from 'playwright-core';
import { buildFrontEndWhenStale } from '../../tools/front-end.ts';
import { startBarePage } from './bare-page.ts';
import { launchChromium } from './chromium.ts';
import { median } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { loadCold } from './page-load.ts';
import type { Load, MeasuredPage, Profile } from './page-load.ts';

/** A mobile connection of 1.6 Mbit/s with 150 ms latency. */
const network = { bytesPerSecond: 1_600_000 / 8, latencyMs: 150 };

export const bothSlow: Profile = { name: 'both slow', network, processorFactor: 4 };
const profiles: readonly Profile[] = [
  { name: 'not slowed' },
  { name: 'slow network', network },
  { name: 'slow processor', processorFactor: 4 },
  bothSlow,
];

const loads = 7;

/** The page of a new sign-in in this browser, without the splash. */
const signInPage = (demoUrl: string): MeasuredPage => ({
  async prepare(context) {
    const page = await context.newPage();
    await page.goto(demoUrl);
    await page.locator('[data-action="sign-in"]').click();
    await page.locator('main[data-step]').waitFor();
    const address = new URL(page.url());
    address.searchParams.set('skip_splash', 'true');
    await page.close();
    return address.href;
  },
});

/** Visited once before, like the sign-in, so that the browser is in the same state. */
const barePage = (url: string): MeasuredPage => ({
  async prepare(context) {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('main[data-step]').waitFor();
    await page.close();
    return url;
  },
});

/** Loads the pages in turn, so that what else the machine does slows down all of them. */
async function measure(
  browser: Browser,
  pages: readonly [ours: MeasuredPage, bare: MeasuredPage],
  profile: Profile,
): Promise<[ours: Load, bare: Load]> {
  const measured: [Load[], Load[]] = [[], []];
  for (let turn = 0; turn < loads; turn += 1)
    for (const index of [0, 1] as const) measured[index].push(await loadCold(browser, pages[index], profile));
  const medianOf = (all: readonly Load[]): Load => ({
    firstPaintMs: median(all.map(({ firstPaintMs }) => firstPaintMs)),
    usableMs: median(all.map(({ usableMs }) => usableMs)),
    blockingMs: median(all.map(({ blockingMs }) => blockingMs)),
    layoutShift: Math.max(...all.map(({ layoutShift }) => layoutShift)),
  });
  return [medianOf(measured[0]), medianOf(measured[1])];
}

function toFigures({ name }: Profile, ours: Load, bare: Load): Figure[] {
  return [
    {
      what: `${name}: form usable, compared with a page with React and one input`,
      value: ours.usableMs / bare.usableMs,
      unit: '×',
      budget: { atMost: 0.7 },
    },
    {
      what: `${name}: from the first paint until the form is usable`,
      value: ours.usableMs - ours.firstPaintMs,
      unit: 'ms',
      budget: { atMost: 100 },
    },
    // Without a long task on either page, there is nothing to compare.
    ...(bare.blockingMs === 0
      ? []
      : [
          {
            what: `${name}: blocking time, compared with that page`,
            value: ours.blockingMs / bare.blockingMs,
            unit: '×',
            budget: { atMost: 1 },
          } as const,
        ]),
    { what: `${name}: layout shift`, value: ours.layoutShift, unit: 'shift', budget: { atMost: 0 } },
  ];
}

async function run(): Promise<Figure[]> {
  await buildFrontEndWhenStale();
  const product = await startTestProduct();
  const bare = await startBarePage();
  const browser = await launchChromium();
  const pages = [signInPage(product.demo.url), barePage(bare.url)] as const;
  const figures: Figure[] = [];
  try {
    // warms up the service and the browser; each load has a context with an empty cache
    for (const page of pages) await loadCold(browser, page, { name: 'first' });
    for (const profile of profiles) {
      const [ours, other] = await measure(browser, pages, profile);
      const list = (load: Load): string =>
        `first paint ${load.firstPaintMs.toFixed(0)}, usable ${load.usableMs.toFixed(0)}, blocking ${load.blockingMs.toFixed(0)} ms`;
      process.stdout.write(`  ${profile.name}: ${list(ours)}; bare page: ${list(other)}\n`);
      figures.push(...toFigures(profile, ours, other));
    }
    return figures;
  } finally {
    await browser.close();
    bare.close();
    await product.close();
  }
}

export const firstScreen: Bench = {
  name: 'first-screen',
  about: 'the sign-in form beside a page with React and one input, on slow networks and processors',
  run,
};
