import { states } from '@anteroom/testkit/states/states';
import type { State } from '@anteroom/testkit/states/state';
import type { Page } from '@playwright/test';
import { playState } from '../../fixtures/play-state.ts';
import { expect, test } from '../../fixtures/test.ts';

// Attacks and faults, S10: every address in every answer is a `javascript:` one, whatever the page makes of it.

const poison = 'javascript:globalThis.hit=1';

/** Members that are addresses; but for where calls go, without which no state would be reached. */
const isAddress = /(?:ur[il]|location|logopath|href)$/i;
const isBase = /identityserviceurl|identitybaseuri/i;

/** An answer whose every address has become the poison. */
function poisoned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisoned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isPoisoned = typeof member === 'string' && isAddress.test(name) && !isBase.test(name);
      return [name, isPoisoned ? poison : poisoned(member)];
    }),
  );
}

async function poisonAnswers(page: Page): Promise<void> {
  await page.route(/\/api\/ui\/|\/ui\/config\.json/, async (route) => {
    const response = await route.fetch();
    const isJson = (response.headers()['content-type'] ?? '').startsWith('application/json');
    if (!isJson) return route.fulfill({ response });
    return route.fulfill({ response, json: poisoned(await response.json()) });
  });
}

/** Whatever in the page could run an address, when it is pressed, sent or loaded. */
async function addressesThatRun(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) =>
      ['href', 'xlink:href', 'src', 'srcdoc', 'action', 'formaction', 'data', 'ping']
        .map((name) => element.getAttribute(name) ?? '')
        .filter((address) =>
          ['javascript:', 'data:', 'vbscript:', 'blob:'].includes(URL.parse(address)?.protocol ?? ''),
        ),
    ),
  );
}

/** One state for each step, that which shows most: it comes last in the list of its step. */
const shown = [...new Map(states.map((state): [string | undefined, State] => [state.step, state])).values()];

for (const state of shown.filter(({ step }) => step !== undefined))
  test(`S10: a javascript: address in every place of the data is no link on ${state.step}, and the page is there`, async ({
    page,
    scripted,
    noise,
  }) => {
    await poisonAnswers(page);
    await playState(page, scripted, state);
    expect(await addressesThatRun(page)).toEqual([]);
    for (const link of await page.locator('a[href]').all())
      expect(await link.getAttribute('href')).toMatch(/^(https?:|\/|#)/);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown)).toBeUndefined();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    noise.splice(0);
  });
