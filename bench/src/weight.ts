import { startScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Browser, Page } from 'playwright-core';
import { weightBudget } from '../../tools/check/weight.ts';
import { buildFrontEndWhenStale } from '../../tools/front-end.ts';
import { launchChromium } from './chromium.ts';
import type { Bench, Figure } from './figure.ts';

interface LoadedFile {
  path: string;
  /** The size of the compressed body (brotli). */
  bytes: number;
}

/** All resources of a screen; API responses do not count. */
async function listLoadedFiles(page: Page): Promise<LoadedFile[]> {
  const entries = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => {
        const { name, encodedBodySize } = entry as PerformanceResourceTiming;
        return { path: new URL(name).pathname, bytes: encodedBodySize };
      },
    ),
  );
  // excludes the configuration, which is an API call
  return entries.filter(({ path }) => path.startsWith('/ui/') && path !== '/ui/config.json');
}

const returnUrl = '/connect/authorize/sample?client_id=director&scope=openid';

async function loadCredentials(browser: Browser, service: string, locale: string): Promise<LoadedFile[]> {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const query = new URLSearchParams({ ReturnUrl: returnUrl, skip_splash: 'true' });
  await page.goto(`${service}/ui/account/login?${query.toString()}`);
  await page.locator('main[data-step="credentials"] input[name="password"]').waitFor();
  // lists the files now, because resources prefetched for the next step do not count
  const files = await listLoadedFiles(page);
  await context.close();
  return files;
}

const kilobytes = (files: readonly LoadedFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;

async function run(): Promise<Figure[]> {
  await buildFrontEndWhenStale();
  const identity = await startScriptedIdentity();
  const browser = await launchChromium();
  try {
    const english = await loadCredentials(browser, identity.urls.service, 'en-GB');
    const arabic = await loadCredentials(browser, identity.urls.service, 'ar-EG');
    const inEnglish = new Set(english.map(({ path }) => path));
    const onTop = arabic.filter(({ path }) => !inEnglish.has(path));
    const page = english.filter(({ path }) => path === '/ui/account/login');
    for (const { path, bytes } of english.toSorted((a, b) => b.bytes - a.bytes))
      process.stdout.write(`  ${(bytes / 1000).toFixed(1).padStart(6)} kB  ${path}\n`);
    return [
      {
        what: 'sign-in screen in English, brotli',
        value: kilobytes(english),
        unit: 'kB',
        budget: { atMost: weightBudget.signInBytes / 1000 },
      },
      {
        what: 'files of the sign-in screen',
        value: english.length,
        unit: 'files',
        budget: { atMost: weightBudget.signInFiles },
      },
      {
        what: 'HTML with the splash, brotli',
        value: kilobytes(page),
        unit: 'kB',
        budget: { atMost: weightBudget.htmlBytes / 1000 },
      },
      {
        what: 'Arabic on top of English',
        value: kilobytes(onTop),
        unit: 'kB',
        budget: { atMost: weightBudget.languageBytes / 1000 },
      },
    ];
  } finally {
    await browser.close();
    await identity.close();
  }
}

export const weight: Bench = { name: 'weight', about: 'bytes and files of the sign-in screen', run };
