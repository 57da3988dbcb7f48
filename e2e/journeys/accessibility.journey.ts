import type { Page } from '@playwright/test';
import { looksInTurn } from '../fixtures/language-turns.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { expectUsable, wide } from '../fixtures/usable.ts';
import { shotWithScene } from '../pictures/shots.ts';

interface WorkerFixtures {
  /** The page that all states share, because opening a page takes as long as testing a state. */
  stage: { page: Page; noise: string[] };
}

const test = base.extend<object, WorkerFixtures>({
  stage: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const noise: string[] = [];
      listenForNoise(page, noise);
      await use({ page, noise });
      await context.close();
    },
    { scope: 'worker' },
  ],
});

for (const [index, scene] of scenes.entries())
  // the picture tests examine the other states
  for (const { language, colours, rules } of looksInTurn(index, shotWithScene(scene.name)))
    test(`${scene.name} is accessible (${language}, ${colours})`, async ({ stage, scripted, noise }) => {
      const { page } = stage;
      await page.context().clearCookies();
      await page.setViewportSize(wide);
      await scene.play(page, scripted, language);
      await expect(page.locator('main')).toHaveAttribute('data-step', scene.step);
      await expectUsable(page, { language, colours, rules });
      noise.push(...stage.noise.splice(0));
    });
