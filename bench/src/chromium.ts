import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { chromiumFlags, requireChromium } from '../../tools/chromium.ts';

/** Starts a separate browser for a measurement. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await requireChromium(), args: [...chromiumFlags] });
}
