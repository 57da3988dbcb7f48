import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { runCommand } from './command.ts';

/**
 * The headless shell comes first: it renders the same pages without a browser window, in about half the time. The full
 * browser sometimes keeps a page open that its test has closed, and hangs.
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

/** The Debian packages of the fonts with which the pictures were recorded. */
export const pictureFonts = ['fonts-dejavu-core', 'fonts-droid-fallback', 'fonts-noto-mono'];

function findOnPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Finds an installed Chromium: at the path in `CHROMIUM`, of the system, or of Playwright. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which is not there.`);
    return named;
  }
  return findOnPath() ?? [...macOsBrowsers, chromium.executablePath()].find(existsSync);
}

/**
 * Finds or installs a Chromium: from Debian with the fonts of the pictures if possible, else Playwright's build.
 * @throws with instructions if neither is available
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
      ...pictureFonts,
    ]);
  } else {
    await runCommand('playwright', ['install', 'chromium-headless-shell', 'chromium']);
  }
  const fetched = findChromium();
  if (fetched) return fetched;
  throw new Error('There is no Chromium here and none could be fetched: set CHROMIUM to the path of one.');
}

/**
 * Parts of the browser's window that no test uses. Each window renders the suggestions of its address bar in two
 * additional pages, which cost as much CPU time as the page under test.
 */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/**
 * The features that Playwright disables. They are repeated here, because Chromium uses only the last
 * `--disable-features`, and this flag comes after Playwright's.
 */
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

/** Flags for measurements: no background network requests, and no sandbox, which is unavailable to root. */
export const chromiumFlags: readonly string[] = flagsWithout([]);

/**
 * Additional flags for journeys:
 * - no spare renderer process, which a journey in its own context cannot use. Saves an eighth of a journey's startup
 *   time.
 * - a changed part of the page is painted together with the rest of its tile. Otherwise the edges of a shape depend on
 *   which part changed last, and the same page gives different pictures.
 */
export const journeyFlags: readonly string[] = [
  ...flagsWithout(['SpareRendererForSitePerProcess']),
  '--disable-partial-raster',
];

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
