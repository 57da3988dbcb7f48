import type { Browser } from '@playwright/test';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { listenForNoise } from '../fixtures/noise.ts';
import { requireState } from '@anteroom/testkit/states/states';
import { playState } from '../fixtures/play-state.ts';
import { dana, expect, password, test } from './visit.ts';
import { words, wordsPattern } from '../fixtures/words.ts';

interface Arrival {
  /** The preferred languages of the browser. */
  browserLanguage: string;
  /** The language that an earlier visit has stored. */
  kept?: string;
  returnUrl?: string;
}

/** The language that a new browser shows, and the one that it stores. */
async function languageOf(
  browser: Browser,
  { urls }: ScriptedIdentity,
  noise: string[],
  { browserLanguage, kept, returnUrl = '/connect/authorize/sample?client_id=director' }: Arrival,
): Promise<{ shown: string | null; keeps: string | undefined }> {
  const context = await browser.newContext({ locale: browserLanguage });
  if (kept !== undefined)
    await context.addCookies([{ name: 'anteroom_locale', value: kept, url: urls.service }]);
  const page = await context.newPage();
  listenForNoise(page, noise);
  const query = new URLSearchParams({ ReturnUrl: returnUrl, skip_splash: 'true' });
  await page.goto(`${urls.service}/ui/account/login?${query.toString()}`);
  await page.locator('main[data-step="credentials"]').waitFor();
  const shown = await page.locator('html').getAttribute('lang');
  const cookies = await context.cookies(urls.service);
  await context.close();
  return { shown, keeps: cookies.find(({ name }) => name === 'anteroom_locale')?.value };
}

test('language: requested_language wins over the stored language, and the stored language over the browser’s, matched by language, script and region [9.9]', async ({
  browser,
  scripted,
  noise,
}) => {
  const arrive = async (arrival: Arrival) => languageOf(browser, scripted, noise, arrival);
  for (const [browserLanguage, shown] of [
    ['zh-Hans-SG', 'zh'],
    ['pt-PT', 'pt'],
    ['iw', 'he'],
    ['ko-KR', 'en'],
  ] as const)
    expect(await arrive({ browserLanguage }), browserLanguage).toEqual({ shown, keeps: undefined });
  expect(await arrive({ browserLanguage: 'fr-CA', kept: 'nl' })).toEqual({ shown: 'nl', keeps: 'nl' });
  const relative = '/connect/authorize/sample?client_id=director&requested_language=it';
  for (const returnUrl of [relative, `${scripted.urls.service}${relative}`])
    expect(await arrive({ browserLanguage: 'fr-CA', kept: 'nl', returnUrl })).toEqual({
      shown: 'it',
      keeps: 'it',
    });
});

test('language: a change keeps typed text and focus, does not reload, and is sent to the service [2.29, WCAG 2.4.2, 3.1.1]', async ({
  page,
  visit,
}) => {
  await visit.open();
  await visit.step('credentials');
  await visit.field('userName').fill(dana);
  await visit.field('password').fill(password);
  const journeysBefore = visit.journeys.length;
  await visit.action('language').click();
  await page.getByRole('menuitemradio', { name: 'العربية' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page).toHaveTitle(wordsPattern('titles.credentials', {}, 'ar'));
  await expect(visit.field('userName')).toHaveValue(dana);
  await expect(visit.field('password')).toHaveValue(password);
  await expect(visit.action('language')).toBeFocused();
  expect(visit.journeys).toHaveLength(journeysBefore);
  await visit.submit();
  const { headers } = await visit.called('authenticate');
  expect(headers['accept-language']).toBe('ar');
});

test('language: an error on the account page is shown in the language that is chosen afterwards', async ({
  page,
  scripted,
}) => {
  await playState(page, scripted, requireState('account-app-wrong'));
  const error = page.locator('main fieldset [role="alert"]');
  await expect(error).toHaveText(words('authenticator.errors.invalidCode'));
  await page.getByRole('combobox', { name: words('account.display.language') }).selectOption('de');
  await expect(error).toHaveText(words('authenticator.errors.invalidCode', {}, 'de'));
});

test('language: if its file cannot be loaded, the previous language stays and reports it', async ({
  page,
  visit,
  noise,
}) => {
  await page.route('**/assets/i18n/ja-*.json', async (route) => route.fulfill({ status: 404 }));
  await visit.open();
  await visit.step('credentials');
  await visit.field('userName').fill(dana);
  await visit.action('language').click();
  await page.getByRole('menuitemradio', { name: '日本語' }).click();
  await expect(visit.notice('error')).toContainText(wordsPattern('error.serverUnreachable'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(visit.field('userName')).toHaveValue(dana);
  // the browser logs the missing file
  noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/assets/i18n/ja-')));
});
