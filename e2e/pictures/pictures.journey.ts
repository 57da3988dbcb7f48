import { listenForNoise } from '../fixtures/noise.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { openCamera } from './camera.ts';
import type { Camera } from './camera.ts';
import { findDifference } from './compare.ts';
import { accept, findCloseness, findRecorded, leave, readMade } from './record.ts';
import type { Made } from './record.ts';
import { nameOfShot, shots } from './shots.ts';

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

for (const shot of shots) {
  const name = nameOfShot(shot);
  test(`a picture is as it was: ${name}`, async ({ studio, scripted, noise }) => {
    const taken = await studio.camera.take(shot, scripted);
    noise.push(...studio.noise.splice(0));
    if (isToBeAccepted) return accept(name, taken, studio.made);
    const recorded = findRecorded(name);
    if (!recorded)
      throw new Error(`There is no such picture yet. Look at ${leave(name, taken)} and accept it.`);
    const closeness = findCloseness(studio.made);
    // with other fonts there is nothing to compare; that the state can be reached has been seen
    if (closeness === undefined) return;
    const difference = findDifference(recorded, taken, closeness);
    const told =
      difference && `${difference} See ${leave(name, taken)}; \`npm run e2e -- --accept\` accepts it.`;
    expect(told).toBeUndefined();
  });
}
