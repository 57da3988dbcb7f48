import type { Page } from '@playwright/test';
import { looksInTurn } from '../fixtures/language-turns.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { test } from '../fixtures/test.ts';
import { expectUsable, wide } from '../fixtures/usable.ts';

/** The page that the states share, because opening a page takes as long as testing a state. */
let page: Page;
const pageNoise: string[] = [];

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ viewport: wide, reducedMotion: 'reduce' });
  listenForNoise(page, pageNoise);
});
test.afterAll(async () => page.close());

for (const [index, scene] of scenes.entries()) {
  const looks = looksInTurn(index);
  const names = looks.map(({ language, colours }) => `${language} ${colours}`).join(', ');
  test(`${scene.name} is accessible (${names}) [WCAG 1.1.1, 1.3.1, 1.3.5, 1.4.1, 1.4.3, 1.4.10, 2.4.1, 2.4.4, 2.4.6, 2.5.3, 3.1.1, 3.3.2, 4.1.2]`, async ({
    scripted,
    noise,
  }) => {
    await page.context().clearCookies();
    await page.setViewportSize(wide);
    await scene.play(page, scripted, looks[0]?.language);
    await expectUsable(page, scene, scripted, looks);
    noise.push(...pageNoise.splice(0));
  });
}
