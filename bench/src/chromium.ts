import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { chromiumFlags, requireChromium } from '../../tools/chromium.ts';

/** A browser of its own for one measurement. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await requireChromium(), args: [...chromiumFlags] });
}
