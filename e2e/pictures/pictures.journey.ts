import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictureFonts } from '../../tools/chromium.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { expect, test } from '../fixtures/test.ts';
import { openCamera } from './camera.ts';
import type { Camera } from './camera.ts';
import { readRenderer } from './fonts.ts';
import { shots } from './shots.ts';

const record = join(import.meta.dirname, 'record');
const rendererFile = join(record, 'renderer.txt');

let camera: Camera;
let isComparable: boolean;
const pageNoise: string[] = [];

test.beforeAll(async ({ browser }, { config }) => {
  camera = await openCamera(browser);
  listenForNoise(camera.page, pageNoise);
  const renderer = await readRenderer(camera.page);
  if (config.updateSnapshots === 'all' || config.updateSnapshots === 'changed')
    writeFileSync(rendererFile, renderer);
  isComparable = existsSync(rendererFile) && readFileSync(rendererFile, 'utf8') === renderer;
});
test.afterAll(async () => camera.close());

for (const shot of shots) {
  test(`the page equals its recorded picture: ${shot.name}`, async ({ scripted, noise }) => {
    test
      .info()
      .skip(
        !isComparable,
        `needs the browser and the fonts of e2e/pictures/record/renderer.txt (Debian packages chromium-headless-shell, ${pictureFonts.join(', ')})`,
      );
    const clip = await camera.frame(shot, scripted);
    await expect(camera.page).toHaveScreenshot([`${shot.name}.png`], { clip });
    noise.push(...pageNoise.splice(0));
  });
}
