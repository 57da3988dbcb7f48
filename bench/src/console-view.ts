import { setTimeout as wait } from 'node:timers/promises';
import { startTestProduct } from '@anteroom/testkit';
import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import { buildFrontEndWhenStale } from '../../tools/front-end.ts';
import { launchChromium } from './chromium.ts';
import { median } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { bothSlow } from './first-screen.ts';
import { loadCold } from './page-load.ts';
import type { Load, MeasuredPage } from './page-load.ts';

const loads = 5;
const ownerPhone = '+442079460185';

/** The codes that the owner got, the newest first. */
async function readCodes(url: string): Promise<(string | undefined)[]> {
  const outbox = await fetch(`${url}/dev/outbox/messages?to=${encodeURIComponent(ownerPhone)}`);
  const { messages } = (await outbox.json()) as { messages: { code?: string }[] };
  return messages.map(({ code }) => code);
}

/** The search of an owner who is signed in. */
const consolePage = ({ identity: { url }, clock }: Product): MeasuredPage => ({
  async prepare(context) {
    // A second code within the resend wait would not be sent.
    clock.advanceSeconds(10 * 60);
    const before = await readCodes(url);
    const page = await context.newPage();
    await page.goto(`${url}/console/`);
    await page.locator('main[data-step="site-entry"] input').first().fill('northwind');
    await page.keyboard.press('Enter');
    await page.locator('input[name="userName"]').fill(demoUsers.owner);
    await page.locator('input[type="password"]').fill(demoPassword);
    await page.keyboard.press('Enter');
    await page.locator('input[name="code-1"]').waitFor();
    let codes = before;
    while (codes.length === before.length) {
      await wait(20);
      codes = await readCodes(url);
    }
    await page.locator('input[name="code-1"]').focus();
    await page.keyboard.type(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.locator('input[type="search"]').waitFor();
    await page.close();
    return `${url}/console/`;
  },
});

async function run(): Promise<Figure[]> {
  await buildFrontEndWhenStale();
  const product = await startTestProduct();
  const browser = await launchChromium();
  const page = consolePage(product);
  try {
    await loadCold(browser, page, { name: 'first' });
    const measured: Load[] = [];
    for (let turn = 0; turn < loads; turn += 1) measured.push(await loadCold(browser, page, bothSlow));
    const middle = (of: 'firstPaintMs' | 'usableMs'): number => median(measured.map((load) => load[of]));
    return [
      { what: 'slow network and processor: first paint', value: middle('firstPaintMs'), unit: 'ms' },
      {
        what: 'slow network and processor: search usable',
        value: middle('usableMs'),
        unit: 'ms',
        budget: { atMost: 2_000 },
      },
    ];
  } finally {
    await browser.close();
    await product.close();
  }
}

export const consoleView: Bench = {
  name: 'console-view',
  about: 'the first view of the console on a slow network and processor',
  run,
};
