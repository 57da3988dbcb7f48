import type { Page } from '@playwright/test';
import { rulesInTurn } from '../fixtures/language-turns.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { expectUsable } from '../fixtures/usable.ts';
import { openCamera } from './camera.ts';
import type { Camera } from './camera.ts';
import { findDifference } from './compare.ts';
import type { Picture } from './picture.ts';
import { accept, findCloseness, findRecorded, leave, readMade } from './record.ts';
import type { Made } from './record.ts';
import { nameOfShot, shots, shotWithScene } from './shots.ts';
import type { Shot } from './shots.ts';

interface Studio {
  camera: Camera;
  made: Made;
  noise: string[];
}

const test = base.extend<object, { studio: Studio }>({
  studio: [
    async ({ browser }, use) => {
      const camera = await openCamera(browser);
      const noise: string[] = [];
      listenForNoise(camera.page, noise);
      await use({ camera, noise, made: await readMade(camera.page, browser.version()) });
      await camera.close();
    },
    { scope: 'worker' },
  ],
});

// no trace: all pictures share one page, so a trace would contain all of them
test.use({ trace: 'off' });

const isToBeAccepted = process.env['ACCEPT_PICTURES'] === 'true';

/**
 * Describes the change from the recorded picture. Undefined if there is none, or if the record was made with other
 * fonts and cannot be compared.
 */
function findChange(name: string, taken: Picture, made: Made): string | undefined {
  const recorded = findRecorded(name);
  if (!recorded)
    throw new Error(`There is no such picture yet. Look at ${leave(name, taken)} and accept it.`);
  const closeness = findCloseness(made);
  const difference = closeness && findDifference(recorded, taken, closeness);
  return difference && `${difference} See ${leave(name, taken)}; \`npm run e2e -- --accept\` accepts it.`;
}

/**
 * Also tests the page of the picture for accessibility, because bringing a page into its state takes longer than the
 * test.
 */
async function expectUsableIn(page: Page, { state, locale, colours }: Shot): Promise<void> {
  const index = scenes.findIndex(({ name }) => name === state.name);
  await expectUsable(page, { language: locale, colours, rules: rulesInTurn(index, locale) });
}

for (const shot of shots) {
  const name = nameOfShot(shot);
  const isTestedToo = shot === shotWithScene(shot.state.name);
  test(`the page equals its recorded picture${isTestedToo ? ' and is accessible' : ''}: ${name}`, async ({
    studio,
    scripted,
    noise,
  }) => {
    const taken = await studio.camera.take(shot, scripted);
    if (isToBeAccepted) accept(name, taken, studio.made);
    else expect(findChange(name, taken, studio.made)).toBeUndefined();
    if (isTestedToo) await expectUsableIn(studio.camera.page, shot);
    noise.push(...studio.noise.splice(0));
  });
}
