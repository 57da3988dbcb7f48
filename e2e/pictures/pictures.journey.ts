import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { looksInTurn, rulesInTurn } from '../fixtures/language-turns.ts';
import { pictureFonts } from '../../tools/chromium.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { expect, test } from '../fixtures/test.ts';
import { expectUsable } from '../fixtures/usable.ts';
import { openCamera } from './camera.ts';
import type { Camera } from './camera.ts';
import { findDifference } from './compare.ts';
import type { Picture } from './picture.ts';
import { accept, findCloseness, findRecorded, leave, readMade } from './record.ts';
import type { Made } from './record.ts';
import { nameOfShot, shots, shotWithScene } from './shots.ts';
import type { Shot } from './shots.ts';

let camera: Camera;
let made: Made;
const pageNoise: string[] = [];

test.beforeAll(async ({ browser }) => {
  camera = await openCamera(browser);
  listenForNoise(camera.page, pageNoise);
  made = await readMade(camera.page, browser.version());
});
test.afterAll(async () => camera.close());

const isToBeAccepted = process.env['ACCEPT_PICTURES'] === 'true';

/**
 * Describes the change from the recorded picture. Undefined if there is none, or if the record was made with other
 * fonts and cannot be compared.
 */
function findChange(name: string, taken: Picture): string | undefined {
  const recorded = findRecorded(name);
  if (!recorded)
    throw new Error(`There is no such picture yet. Look at ${leave(name, taken)} and accept it.`);
  const closeness = findCloseness(made);
  const difference = closeness && findDifference(recorded, taken, closeness);
  return difference && `${difference} See ${leave(name, taken)}; \`npm run e2e -- --accept\` accepts it.`;
}

/**
 * Also tests the page of the picture for accessibility, in its language and then in one of the other direction, because
 * bringing a page into its state takes longer than the test.
 */
async function expectUsableIn(shot: Shot, identity: ScriptedIdentity): Promise<void> {
  const { locale: language, colours } = shot;
  const index = scenes.findIndex(({ name }) => name === shot.state.name);
  const scene = scenes[index];
  if (!scene) throw new Error(`${shot.state.name} has no screen.`);
  const looks = [{ language, colours, rules: rulesInTurn(index, language) }, ...looksInTurn(index, shot)];
  await expectUsable(camera.page, scene, identity, looks);
}

for (const shot of shots) {
  const name = nameOfShot(shot);
  const isTestedToo = shot === shotWithScene(shot.state.name);
  test(`the page equals its recorded picture${isTestedToo ? ' and is accessible' : ''}: ${name}`, async ({
    scripted,
    noise,
  }) => {
    test
      .info()
      .skip(
        !isTestedToo && !isToBeAccepted && !findCloseness(made),
        `needs the fonts of the recorded pictures (Debian packages ${pictureFonts.join(', ')})`,
      );
    const taken = await camera.take(shot, scripted);
    if (isToBeAccepted) accept(name, taken, made);
    else expect(findChange(name, taken)).toBeUndefined();
    if (isTestedToo) await expectUsableIn(shot, scripted);
    noise.push(...pageNoise.splice(0));
  });
}
