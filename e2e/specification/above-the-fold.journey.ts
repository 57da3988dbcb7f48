import type { Page } from '@playwright/test';
import { supportedLocales } from '@anteroom/contract';
import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import { context } from '@anteroom/testkit/states/contexts';
import { dana } from '@anteroom/testkit/states/moves';
import { requireState } from '@anteroom/testkit/states/states';
import { playState } from '../fixtures/play-state.ts';
import { expect, test } from '../fixtures/test.ts';

// The sizes of the visual rules: what a visitor needs is in view without scrolling.

/** A small laptop, a laptop, a tablet and two phones; Arabic has the tallest lines, German the longest words. */
const sizes = [
  { width: 1366, height: 650 },
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 700 },
];
const locales = ['en', 'de', 'ar'];

const cardLimit = 640;
const codeButtonLimit = 560;

/** The height of the card, the lower edge of the main button in it, and how much of the page is out of view. */
function measure(page: Page): Promise<{ card: number; button: number; outOfView: number; aside: number }> {
  return page.evaluate(() => {
    const card = document.querySelector('[data-card]')?.getBoundingClientRect();
    const button = document.querySelector('main button[type="submit"]')?.getBoundingClientRect();
    const { scrollHeight, scrollWidth } = document.documentElement;
    return {
      card: card?.height ?? Infinity,
      button: (button?.bottom ?? Infinity) - (card?.top ?? 0),
      outOfView: scrollHeight - innerHeight,
      aside: scrollWidth - innerWidth,
    };
  });
}

/** The sign-in with everything that it can show. */
const everything = context({ extensions: ['totp', 'passkeys', 'factors'] });

for (const locale of locales)
  test(`in ${locale}, the sign-in fits a small laptop and a phone, with the space of the passkey button from the start`, async ({
    page,
    scripted,
  }) => {
    await playState(page, scripted, { ...requireState('credentials'), set: everything }, locale);
    const passkey = page.locator('main [data-passkeys]');
    const spaceAtFirst = await passkey.evaluate((space) => space.clientHeight);
    await page.locator('main [data-action="use-passkey"]').waitFor();
    expect(await passkey.evaluate((space) => space.clientHeight)).toBe(spaceAtFirst);
    for (const size of sizes) {
      await page.setViewportSize(size);
      const { card, outOfView, aside } = await measure(page);
      expect.soft(card, `the card at ${size.width} px`).toBeLessThanOrEqual(cardLimit);
      expect.soft(outOfView, `out of view at ${size.width} px`).toBeLessThanOrEqual(0);
      expect.soft(aside, `beside the view at ${size.width} px`).toBeLessThanOrEqual(0);
    }
  });

for (const locale of locales)
  test(`in ${locale}, the button of the code step is in view on a small laptop and a phone`, async ({
    page,
    scripted,
  }) => {
    const { set, ...ways } = requireState('second-factor-ways');
    const organised = (stage: Parameters<typeof everything>[0]): void => {
      set?.(stage);
      everything(stage);
    };
    await playState(page, scripted, { ...ways, set: organised }, locale);
    for (const size of sizes) {
      await page.setViewportSize(size);
      const { button, aside } = await measure(page);
      expect.soft(button, `the button at ${size.width} px`).toBeLessThanOrEqual(codeButtonLimit);
      expect.soft(aside, `beside the view at ${size.width} px`).toBeLessThanOrEqual(0);
    }
  });

/** Every rule of the default policy of the service. */
const policy = {
  policyLines: [
    'minimumLength',
    'maximumLength',
    'notCommon',
    'notBreached',
    'notContainsUserName',
    'notContainsSiteName',
    'notReused',
  ].map((line) => ({ line })),
  minimumLength: 15,
  maximumLength: 256,
};

for (const locale of supportedLocales)
  test(`in ${locale}, the button of a password change is in view on a small laptop`, async ({
    page,
    scripted,
  }) => {
    await page.setViewportSize({ width: 1366, height: 650 });
    const { set, ...change } = requireState('password-change');
    const organised = (stage: Parameters<typeof everything>[0]): void => {
      set?.(stage);
      everything(stage);
      const { script, urls } = stage;
      script.answer('getRefreshContext', contextAt(urls, { userName: dana }));
      script.answer('passwordPolicy', policy);
    };
    await playState(page, scripted, { ...change, set: organised }, locale);
    // A generous maximum is shown only while it is broken.
    await expect(page.locator('[data-policy-line]')).toHaveCount(policy.policyLines.length - 1);
    await expect(page.locator('main button[type="submit"]')).toBeInViewport({ ratio: 1 });
    for (const field of await page.locator('main input[type="password"]').all())
      expect.soft((await field.boundingBox())?.width, 'room for a long password').toBeGreaterThanOrEqual(300);
  });

for (const locale of locales)
  test(`in ${locale}, the button of each step of the set-up of an app is in view on a small laptop`, async ({
    page,
    scripted,
  }) => {
    await page.setViewportSize({ width: 1366, height: 650 });
    await playState(page, scripted, requireState('authenticator-set-up'), locale);
    const button = page.locator('main button[type="submit"]');
    for (const shown of ['[data-action="open-app"]', '[data-recovery-codes]', 'input[name="code-1"]']) {
      await page.locator(shown).waitFor();
      await expect(button).toBeInViewport({ ratio: 1 });
      await button.click();
    }
  });

for (const state of ['signed-out', 'site-list'])
  test(`the language menu is in view, above the button or below it (${state})`, async ({
    page,
    scripted,
  }) => {
    await playState(page, scripted, requireState(state));
    for (const { width, height } of sizes.slice(0, 3)) {
      await page.setViewportSize({ width, height });
      await page.locator('[data-action="language"]').click();
      const menu = page.getByRole('menu');
      await expect(menu.locator(':focus')).toBeVisible();
      const { top, bottom } = await menu.evaluate((element) => element.getBoundingClientRect());
      expect.soft(top, `the upper edge at ${width} px`).toBeGreaterThanOrEqual(0);
      expect.soft(bottom, `the lower edge at ${width} px`).toBeLessThanOrEqual(height);
      await page.keyboard.press('Escape');
    }
  });

for (const action of ['set-phone-number', 'remove-phone-number'])
  test(`what opens on the account page is in view with its buttons (${action})`, async ({
    page,
    scripted,
  }) => {
    await playState(page, scripted, requireState('account'));
    for (const size of sizes) {
      await page.setViewportSize(size);
      const opener = page.locator(`[data-action="${action}"]`);
      // at the lower edge
      await opener.evaluate((button) => button.scrollIntoView({ block: 'end' }));
      await opener.click();
      await expect(page.locator('main form [data-action="cancel"]')).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Escape');
    }
  });
