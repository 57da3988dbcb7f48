import { startWorld } from '@anteroom/testkit';
import type { Browser, BrowserContext } from 'playwright-core';
import { buildFrontEndWhenStale } from '../../tools/front-end.ts';
import { launchChromium } from './chromium.ts';
import { median } from './figure.ts';
import type { Bench, Figure } from './figure.ts';

/** The throttle of the design: a mobile connection of 1.6 Mbit/s with 150 ms, a processor slowed four times. */
const throttle = { bytesPerSecond: 1_600_000 / 8, latencyMs: 150, processorFactor: 4 };

const loads = 7;

interface Load {
  usableMs: number;
  firstPaintMs: number;
  layoutShift: number;
  blockingMs: number;
}

interface Observed {
  firstPaintMs: number;
  usableMs: number;
  layoutShift: number;
  blockingMs: number;
}

/** Runs in the page before anything of ours and writes down what a visitor would feel. */
function observe(): void {
  const observed: Observed = { firstPaintMs: 0, usableMs: 0, layoutShift: 0, blockingMs: 0 };
  Object.assign(globalThis, { observed });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) observed.blockingMs += Math.max(0, entry.duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      observed.layoutShift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName('first-paint')) observed.firstPaintMs = startTime;
  }).observe({ type: 'paint', buffered: true });
  const look = (): void => {
    const field = document.querySelector<HTMLInputElement>('main[data-step] form input:not([type="hidden"])');
    const isUsable =
      field &&
      !field.disabled &&
      field.getClientRects().length > 0 &&
      !document.querySelector('[data-splash]');
    // the next frame, because a field can be used once it is on the screen
    if (isUsable) requestAnimationFrame(() => (observed.usableMs ||= performance.now()));
    else requestAnimationFrame(look);
  };
  look();
}

/** The address that a board application's sign-in leads to, live for this browser. */
async function beginSignIn(context: BrowserContext, demoUrl: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(demoUrl);
  await page.locator('[data-action="sign-in"]').click();
  await page.locator('main[data-step]').waitFor();
  const address = new URL(page.url());
  address.searchParams.set('skip_splash', 'true');
  await page.close();
  return address.href;
}

async function loadCold(browser: Browser, demoUrl: string): Promise<Load> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const address = await beginSignIn(context, demoUrl);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.clearBrowserCache');
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: throttle.latencyMs,
    downloadThroughput: throttle.bytesPerSecond,
    uploadThroughput: throttle.bytesPerSecond,
  });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: throttle.processorFactor });
  await page.addInitScript(observe);
  await page.goto(address, { waitUntil: 'commit' });
  const readObserved = (): Observed => (globalThis as typeof globalThis & { observed: Observed }).observed;
  await page.waitForFunction(
    () => (globalThis as typeof globalThis & { observed: Observed }).observed.usableMs > 0,
  );
  // what shifts or blocks after the form is there disturbs the visitor just as much
  await page.waitForLoadState('networkidle');
  const load = await page.evaluate(readObserved);
  await context.close();
  return load;
}

async function run(): Promise<Figure[]> {
  await buildFrontEndWhenStale();
  const world = await startWorld();
  const browser = await launchChromium();
  try {
    const measured: Load[] = [];
    // the first load warms the service and the browser, not the page: every context has a cache of its own
    await loadCold(browser, world.demo.url);
    while (measured.length < loads) measured.push(await loadCold(browser, world.demo.url));
    const of = (name: keyof Load): number => median(measured.map((load) => load[name]));
    return [
      { what: 'form usable, cold, throttled', value: of('usableMs'), unit: 'ms', budget: { atMost: 1300 } },
      { what: 'first paint, same load', value: of('firstPaintMs'), unit: 'ms' },
      { what: 'layout shift', value: of('layoutShift'), unit: 'shift', budget: { atMost: 0 } },
      { what: 'blocking time', value: of('blockingMs'), unit: 'ms', budget: { atMost: 150 } },
    ];
  } finally {
    await browser.close();
    await world.close();
  }
}

export const firstScreen: Bench = {
  name: 'first-screen',
  about: 'the sign-in form on a slow connection and a slow processor',
  run,
};
