import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { runCommand } from './command.ts';

/**
 * The headless shell comes first: it draws the same pages without a browser's own window, in about half the time. The whole browser
 * sometimes leaves a page open that its test has closed, and waits for ever.
 */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const macOsBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function findOnPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** A Chromium that is on this machine: the one that `CHROMIUM` names, the system's, or Playwright's own. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which is not there.`);
    return named;
  }
  return findOnPath() ?? [...macOsBrowsers, chromium.executablePath()].find(existsSync);
}

/**
 * A Chromium, fetched when there is none: from Debian where that is possible, else Playwright's own build.
 * Throws with what to do when neither can be had.
 */
export async function requireChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  process.stderr.write('Fetching a Chromium for the browser journeys (once) …\n');
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await runCommand('apt-get', ['update', '-q']);
    await runCommand('apt-get', [
      'install',
      '-y',
      '-q',
      '--no-install-recommends',
      'chromium-headless-shell',
    ]);
  } else {
    await runCommand('playwright', ['install', 'chromium-headless-shell', 'chromium']);
  }
  const fetched = findChromium();
  if (fetched) return fetched;
  throw new Error('There is no Chromium here and none could be fetched: set CHROMIUM to the path of one.');
}

/**
 * Parts of the browser's own window that no test sees. Each window draws the suggestions of its address bar as two pages of
 * their own, which costs as much processor time as the page under test.
 */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright switches off itself: Chromium heeds the last `--disable-features` alone, and ours comes after Playwright's. */
const featuresThatPlaywrightDisables = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** How a Chromium is started for measurements: nothing of its own reaches out, and as root it has no sandbox to stand in. */
export const chromiumFlags: readonly string[] = flagsWithout([]);

/** And for journeys: no process stands ready for a page that the next journey, in a context of its own, could not use anyway. An eighth of what a journey's start costs. */
export const journeyFlags: readonly string[] = flagsWithout(['SpareRendererForSitePerProcess']);

function flagsWithout(features: readonly string[]): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...featuresThatPlaywrightDisables, ...unseenFeatures, ...features].join(',')}`,
  ];
}
