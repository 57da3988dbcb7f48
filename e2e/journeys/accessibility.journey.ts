import type { Page } from '@playwright/test';
import { everyRule, findViolationsIn, rulesOfLook } from '../fixtures/accessibility.ts';
import { findLost } from '../fixtures/adaptation.ts';
import { directionOf, looksInTurn } from '../fixtures/language-turns.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { expect, test as base } from '../fixtures/test.ts';

interface OfAWorker {
  /** One page that every state is played on: a page of its own would cost as much as the state. */
  stage: { page: Page; noise: string[] };
}

const test = base.extend<object, OfAWorker>({
  stage: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const noise: string[] = [];
      listenForNoise(page, noise);
      await use({ page, noise });
      await context.close();
    },
    { scope: 'worker' },
  ],
});

/** Resolves when the page has been drawn at its new width: for a moment its rules for widths are those of the one before. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  const isDrawn = await page.evaluateHandle(() => ({
    // the rules for widths are looked at between this event and the next frame (HTML, "update the rendering")
    promise: new Promise<void>((resolve) => {
      addEventListener('resize', () => requestAnimationFrame(() => resolve()), { once: true });
    }),
  }));
  await page.setViewportSize(size);
  await isDrawn.evaluate(async ({ promise }) => promise);
  await isDrawn.dispose();
}

const wide = { width: 1280, height: 900 };
/** What is left of it at 400 % (WCAG 1.4.10). */
const narrow = { width: 320, height: 900 };

for (const [index, scene] of scenes.entries())
  for (const [turn, { language, colours }] of looksInTurn(index).entries())
    test(`${scene.name} can be used by everybody (${language}, ${colours})`, async ({
      stage,
      scripted,
      noise,
    }) => {
      const { page } = stage;
      await page.context().clearCookies();
      await page.setViewportSize(wide);
      await scene.play(page, scripted, language);
      await expect(page.locator('main')).toHaveAttribute('data-step', scene.step);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language));
      // Every rule in one of the looks, in either direction by turns.
      const rules = turn % 2 === index % 2 ? everyRule : rulesOfLook;
      expect(await findViolationsIn(page, colours, rules)).toEqual([]);
      await resize(page, narrow);
      expect(await findLost(page)).toEqual([]);
      noise.push(...stage.noise.splice(0));
    });
