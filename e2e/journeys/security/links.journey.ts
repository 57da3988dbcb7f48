import { states } from '@anteroom/testkit/states/states';
import type { State } from '@anteroom/testkit/states/state';
import type { Page } from '@playwright/test';
import { playState } from '../../fixtures/play-state.ts';
import { expect, test } from '../../fixtures/test.ts';

// Attacks and faults, S10: every address in every answer is a `javascript:` URL.

const poison = 'javascript:globalThis.hit=1';

/** The members that are addresses, except the base addresses of calls, which every state needs. */
const isAddress = /(?:ur[il]|location|logopath|href)$/i;
const isBase = /identityserviceurl|identitybaseuri/i;

/** Replaces every address of an answer with the `javascript:` URL. */
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
    // a state can close the connection
    const response = await route.fetch().catch(() => undefined);
    if (response === undefined) return route.abort();
    const isJson = (response.headers()['content-type'] ?? '').startsWith('application/json');
    if (!isJson) return route.fulfill({ response });
    return route.fulfill({ response, json: poisoned(await response.json()) });
  });
}

/** The attributes of the page that would run a script when clicked, submitted or loaded. */
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

/** The last state of each step, which has the most content. */
const shown = [...new Map(states.map((state): [string | undefined, State] => [state.step, state])).values()];

for (const state of shown.filter(({ step }) => step !== undefined))
  test(`no javascript: address in the data becomes a link on ${state.step}, and the page opens [S10]`, async ({
    page,
    scripted,
    noise,
  }) => {
    await poisonAnswers(page);
    await playState(page, scripted, state);
    expect(await addressesThatRun(page)).toEqual([]);
    for (const link of await page.locator('a[href]').all())
      expect(await link.getAttribute('href')).toMatch(/^(https?:|mailto:(\?|$)|\/|#)/);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown)).toBeUndefined();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    noise.splice(0);
  });
