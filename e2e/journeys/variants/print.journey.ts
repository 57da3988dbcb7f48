import { requireState } from '@anteroom/testkit/states/states';
import { playState } from '../../fixtures/play-state.ts';
import { expect, test } from '../../fixtures/test.ts';

test('the printed error page contains all that support needs, and no buttons', async ({ page, scripted }) => {
  await playState(page, scripted, requireState('error-long'));
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('main dl')).toBeVisible();
  await expect(page.getByText('invalid_request_object_signing_algorithm_unsupported')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await expect(page.locator('footer')).toBeHidden();
  await expect(page.locator('main a[href]').filter({ visible: true })).toHaveCount(0);
});

test('with forced colours the card, its fields and the focus have visible borders', async ({
  page,
  scripted,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await playState(page, scripted, requireState('credentials-wrong'));
  for (const part of ['[data-card]', 'main input[name="password"]', 'main button[type="submit"]']) {
    const edge = await page
      .locator(part)
      .evaluate((element) => [getComputedStyle(element).borderStyle, getComputedStyle(element).borderWidth]);
    expect(edge, part).toEqual(['solid', '1px']);
  }
  await expect(page.locator('main input[name="password"]')).toHaveCSS('outline-style', 'solid');
});

for (const [how, colorScheme, cookie] of [
  ['of the device', 'dark', undefined],
  ['of the visitor', 'light', 'dark'],
] as const)
  test(`a page prints in the light colours in the dark theme ${how}`, async ({ page, scripted }) => {
    await page.emulateMedia({ colorScheme });
    if (cookie !== undefined)
      await page
        .context()
        .addCookies([{ name: 'anteroom_theme', value: cookie, url: scripted.urls.service, sameSite: 'Lax' }]);
    await playState(page, scripted, requireState('error-long'));
    const colours = async (): Promise<string[]> =>
      page.evaluate(() => {
        const { colorScheme: scheme } = getComputedStyle(document.documentElement);
        const { color } = getComputedStyle(document.querySelector('main dd') ?? document.body);
        const { backgroundColor } = getComputedStyle(document.querySelector('[data-card]') ?? document.body);
        return [scheme, color, backgroundColor];
      });
    expect((await colours())[2]).toBe('rgb(23, 30, 43)');
    await page.emulateMedia({ colorScheme, media: 'print' });
    const [scheme, ink = '', surface] = await colours();
    expect([scheme, surface]).toEqual(['light', 'rgb(255, 255, 255)']);
    // the ink of the light theme: at least 7 : 1 on white
    expect(Math.max(...(ink.match(/\d+/g) ?? []).map(Number))).toBeLessThan(105);
  });
