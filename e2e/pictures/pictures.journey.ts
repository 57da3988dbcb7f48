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

// a trace of one page that takes every picture would be one of all of them
test.use({ trace: 'off' });

const isToBeAccepted = process.env['ACCEPT_PICTURES'] === 'true';

/** Undefined where the record was made with other fonts: there is nothing to compare then. */
function findChange(name: string, taken: Picture, made: Made): string | undefined {
  const recorded = findRecorded(name);
  if (!recorded)
    throw new Error(`There is no such picture yet. Look at ${leave(name, taken)} and accept it.`);
  const closeness = findCloseness(made);
  const difference = closeness && findDifference(recorded, taken, closeness);
  return difference && `${difference} See ${leave(name, taken)}; \`npm run e2e -- --accept\` accepts it.`;
}

/** Tests the page of the picture too: to bring it into the state costs more than to look at it twice. */
async function expectUsableIn(page: Page, { state, locale, colours }: Shot): Promise<void> {
  const index = scenes.findIndex(({ name }) => name === state.name);
  await expectUsable(page, { language: locale, colours, rules: rulesInTurn(index, locale) });
}

for (const shot of shots) {
  const name = nameOfShot(shot);
  const isTestedToo = shot === shotWithScene(shot.state.name);
  test(`a picture is as it was${isTestedToo ? ', and the page can be used by everybody' : ''}: ${name}`, async ({
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
