import type { Browser, BrowserContext } from 'playwright-core';

/** How a page is slowed down. */
export interface Profile {
  name: string;
  network?: { bytesPerSecond: number; latencyMs: number };
  processorFactor?: number;
}

export interface Load {
  firstPaintMs: number;
  /** When the first input can be used. */
  usableMs: number;
  /** The time of all tasks beyond 50 ms each. */
  blockingMs: number;
  layoutShift: number;
}

/** A page, and what precedes a visit to it in the same browser context. */
export interface MeasuredPage {
  prepare: (context: BrowserContext) => Promise<string>;
}

type ObservedWindow = typeof globalThis & { observed: Load };

/** Runs in the page before its own scripts, and records the metrics of the user experience. */
function observe(): void {
  const observed: Load = { firstPaintMs: 0, usableMs: 0, blockingMs: 0, layoutShift: 0 };
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
  // A task after a frame: what it finds is on the screen, whatever the frame's other callbacks have changed.
  const frames = new MessageChannel();
  frames.port1.onmessage = (): void => {
    const field = document.querySelector<HTMLInputElement>('main form input:not([type="hidden"])');
    const isUsable =
      field &&
      !field.disabled &&
      field.getClientRects().length > 0 &&
      !document.querySelector('[data-splash]');
    if (isUsable) observed.usableMs = performance.now();
    else look();
  };
  const look = (): void => void requestAnimationFrame(() => frames.port2.postMessage(undefined));
  look();
}

/** Loads a page with an empty cache. */
export async function loadCold(browser: Browser, { prepare }: MeasuredPage, profile: Profile): Promise<Load> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const address = await prepare(context);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.clearBrowserCache');
  const { network, processorFactor = 1 } = profile;
  if (network)
    await protocol.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latencyMs,
      downloadThroughput: network.bytesPerSecond,
      uploadThroughput: network.bytesPerSecond,
    });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: processorFactor });
  await page.addInitScript(observe);
  await page.goto(address, { waitUntil: 'commit' });
  // waits longer than the form, because later layout shifts and long tasks count too, and without a script in the page,
  // whose evaluation would count
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => (globalThis as ObservedWindow).observed.usableMs > 0);
  const load = await page.evaluate(() => (globalThis as ObservedWindow).observed);
  await context.close();
  return load;
}
