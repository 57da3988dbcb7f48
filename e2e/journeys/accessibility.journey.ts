import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { languages } from '../fixtures/look.ts';
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

for (const language of languages)
  for (const scene of scenes)
    test(`${scene.name} can be used by everybody, in light and in dark (${language})`, async ({
      stage,
      scripted,
      noise,
    }) => {
      const { page } = stage;
      await page.context().clearCookies();
      await scene.play(page, scripted, language);
      await expect(page.locator('main')).toHaveAttribute('data-step', scene.step);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
      expect(await findViolations(page)).toEqual([]);
      noise.push(...stage.noise.splice(0));
    });
