import { supportedLocales } from '@anteroom/contract';
import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import { addressOfState, requireState } from '@anteroom/testkit/states/states';
import { findLost, findSmallTargets, isFocusHidden, spaceText } from '../../fixtures/adaptation.ts';
import { listenForNoise } from '../../fixtures/noise.ts';
import { findTops, openAt, scenes, submitCredentials, waitForStep } from '../../fixtures/scenes.ts';
import { playState } from '../../fixtures/play-state.ts';
import { expect, test } from '../../fixtures/test.ts';

/** The last state of each screen, which has the most content. */
const oneOfEach = [...new Map(scenes.map((scene) => [scene.step, scene])).values()];

// German has the longest words, Arabic is right-to-left
for (const locale of ['de', 'ar'])
  test(`at 320 px (400 % of 1280 px) no screen loses content, also with wide text spacing (${locale}) [F18, WCAG 1.3.4, 1.4.4, 1.4.10, 1.4.12, 2.5.8]`, async ({
    page,
    scripted,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    // reuses the page, because opening one takes as long as testing a screen
    for (const scene of oneOfEach) {
      scripted.reset();
      await page.context().clearCookies();
      await scene.play(page, scripted, locale);
      await waitForStep(page, scene.step);
      expect(await findLost(page), scene.name).toEqual([]);
      expect(await findSmallTargets(page), scene.name).toEqual([]);
      await spaceText(page);
      expect(await findLost(page), `${scene.name}, with wide text spacing`).toEqual([]);
    }
  });

// a site's name of maximum length, without an opportunity for a line break
const longWord = 'donaudampfschifffahrtselektrizitaetenhauptbetriebs';

for (const locale of ['de', 'ar'])
  test(`at 320 px a site’s name of one word with 50 letters is not cut off, also with wide text spacing (${locale})`, async ({
    page,
    scripted,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    scripted.script.answer(
      'getAuthContext',
      contextAt(scripted.urls, { defaultSite: longWord, defaultSiteDisplayName: undefined }),
    );
    scripted.script.answer('authenticate', { status: 'password_required' });
    await page.goto(addressOfState({}, scripted, locale));
    for (const step of ['credentials', 'password-required']) {
      await waitForStep(page, step);
      await expect(page.locator('main').getByText(longWord)).toBeVisible();
      expect(await findLost(page), step).toEqual([]);
      await spaceText(page);
      expect(await findLost(page), `${step}, with wide text spacing`).toEqual([]);
      if (step === 'credentials') await submitCredentials(page);
    }
  });

for (const state of ['credentials-expired', 'credentials-too-often'])
  test(`at 400 % no notification hides the focused element (${state}) [WCAG 2.4.11]`, async ({
    browser,
    scripted,
    noise,
  }) => {
    const context = await browser.newContext({ locale: 'de-DE', viewport: { width: 320, height: 256 } });
    const page = await context.newPage();
    listenForNoise(page, noise);
    await playState(page, scripted, requireState(state));
    await expect(page.locator('[data-notification]')).toBeVisible();
    const hidden: string[] = [];
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press('Tab');
      if (await isFocusHidden(page))
        hidden.push(await page.locator(':focus').evaluate(({ outerHTML }) => outerHTML));
    }
    expect(hidden).toEqual([]);
    await context.close();
  });

test('a new step starts at the top, even if the previous step was scrolled down', async ({
  page,
  scripted,
}) => {
  await page.setViewportSize({ width: 320, height: 480 });
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await openAt(page, scripted);
  await waitForStep(page, 'credentials');
  await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight);
  });
  await submitCredentials(page);
  await waitForStep(page, 'second-factor-required');
  await expect(page.locator('input[name="code-1"]')).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('with forced colours every field and button keeps its border, and the focused element its ring [WCAG 1.4.11, 2.4.7]', async ({
  page,
  scripted,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openAt(page, scripted);
  await waitForStep(page, 'credentials');
  const edges = page.locator('main input:visible, main button[type="submit"]');
  expect(await edges.count()).toBe(3);
  for (const edge of await edges.all()) {
    await expect(edge).toHaveCSS('border-top-style', 'solid');
    const [line, ground] = await edge.evaluate((element) => {
      const { borderTopColor, backgroundColor } = getComputedStyle(element);
      return [borderTopColor, backgroundColor];
    });
    expect(line).not.toBe(ground);
    await edge.focus();
    await expect(edge).toHaveCSS('outline-style', 'solid');
  }
});

test('with reduced motion no animation runs longer than a moment [WCAG 2.2.2]', async ({
  page,
  scripted,
}) => {
  const release = scripted.script.hold('authenticate');
  await openAt(page, scripted);
  await waitForStep(page, 'credentials');
  await submitCredentials(page);
  await expect(page.locator('main[data-loading="true"]')).toBeVisible();
  const lasting = await page.evaluate(() =>
    document
      .getAnimations()
      .map(({ effect }) => effect?.getComputedTiming())
      .filter((timing) => Number(timing?.duration) > 1 || timing?.iterations === Infinity),
  );
  expect(lasting).toEqual([]);
  release();
});

test('with more contrast, secondary text and borders have the colour of the main text [WCAG 1.4.3]', async ({
  page,
  scripted,
}) => {
  await page.emulateMedia({ contrast: 'more' });
  await openAt(page, scripted);
  await waitForStep(page, 'credentials');
  const ink = await page.locator('body').evaluate((body) => getComputedStyle(body).color);
  for (const link of await page.locator('[data-action="privacy-policy"]').all())
    await expect(link).toHaveCSS('color', ink);
  await expect(page.locator('input[name="password"]')).toHaveCSS('border-top-color', ink);
});

const mistakes = [
  ['site-entry', 'site-entry-unknown'],
  ['credentials', 'credentials-empty'],
  ['credentials', 'credentials-wrong'],
  ['credentials-name-alone', 'credentials-name-alone-empty'],
  ['second-factor', 'second-factor-wrong'],
  ['authenticator', 'authenticator-wrong'],
  ['authenticator-recovery-code', 'authenticator-recovery-code-wrong'],
  ['password-change', 'password-change-empty'],
  ['password-change', 'password-change-wrong'],
  ['forgotten-site', 'forgotten-site-invalid'],
  ['new-password', 'new-password-refused'],
  ['account-app-code', 'account-app-wrong'],
] as const;

for (const [before, after] of mistakes)
  test(`an error at a field moves no button but by its second and further lines, at 820, 441 and 320 px in any language (${after})`, async ({
    page,
    scripted,
  }) => {
    const buttonTops = async (id: string): Promise<Record<string, unknown>> => {
      scripted.reset();
      await playState(page, scripted, requireState(id));
      const tops: Record<string, unknown> = {};
      for (const width of [820, 441, 320]) {
        await page.setViewportSize({ width, height: 1180 });
        tops[`${width} px`] = await findTops(page, supportedLocales, 'main button[type="submit"]');
      }
      return tops;
    };
    const tops = await buttonTops(before);
    expect(await buttonTops(after)).toEqual(tops);
    await expect(page.locator('main [aria-invalid="true"]').first()).toBeVisible();
  });
