import { join, resolve } from 'node:path';
import { looks, openLook } from '../fixtures/look.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes, waitForStep } from '../fixtures/scenes.ts';
import { test } from '../fixtures/test.ts';
import { root } from '../../tools/root.ts';

/**
 * `PICTURES=docs/pictures npm run e2e pictures` renews the pictures of the documentation; otherwise they are left with the
 * other results of the run.
 */
const folder = resolve(root, process.env['PICTURES'] || 'test-results/pictures');

const fileName = (scene: string): string => scene.replaceAll(/[^a-z]+/g, '-');

for (const look of looks)
  for (const scene of scenes)
    test(`a picture of ${scene.name} (${look.language}, ${look.colours})`, async ({
      browser,
      scripted,
      noise,
    }) => {
      for (const width of [1280, 320]) {
        scripted.reset();
        const context = await openLook(browser, look, width);
        const page = await context.newPage();
        listenForNoise(page, noise);
        await scene.play(page, scripted);
        await waitForStep(page, scene.step);
        const name = [
          fileName(scene.name),
          look.language,
          look.colours,
          ...(width === 1280 ? [] : [width]),
        ].join('-');
        await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
        await context.close();
      }
    });
