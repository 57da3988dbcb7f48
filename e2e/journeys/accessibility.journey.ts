import type { Page } from '@playwright/test';
import { isInEveryLanguage, looksInTurn } from '../fixtures/language-turns.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { test } from '../fixtures/test.ts';
import { expectUsable, wide } from '../fixtures/usable.ts';
import { shotWithScene } from '../pictures/shots.ts';

/** The page that the states share, because opening a page takes as long as testing a state. */
let page: Page;
const pageNoise: string[] = [];

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ viewport: wide, reducedMotion: 'reduce' });
  listenForNoise(page, pageNoise);
});
test.afterAll(async () => page.close());

for (const [index, scene] of scenes.entries()) {
  // the picture tests examine the other states
  if (shotWithScene(scene.name) && !isInEveryLanguage) continue;
  const looks = looksInTurn(index);
  const names = looks.map(({ language, colours }) => `${language} ${colours}`).join(', ');
  test(`${scene.name} is accessible (${names})`, async ({ scripted, noise }) => {
    await page.context().clearCookies();
    await page.setViewportSize(wide);
    await scene.play(page, scripted, looks[0]?.language);
    await expectUsable(page, scene, scripted, looks);
    noise.push(...pageNoise.splice(0));
  });
}
