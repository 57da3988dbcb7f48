import type { Page } from '@playwright/test';
import { words } from '../fixtures/words.ts';
import { dana, expect, test } from './visit.ts';

// Attacks and faults, F17: a new version is deployed while a page of the previous one is open, whose files are then missing.

const part = /\/assets\/app\/SecondFactorScreen-[\w-]+\.js$/;

test('a missing chunk reloads the page once, and the new version continues the sign-in [F17]', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  let isGone = true;
  await page.route(part, async (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.open();
  await visit.step('credentials');
  const opened = visit.journeys.length;
  // from here on the server has the complete new version
  const reloaded = page
    .waitForRequest((request) => request.isNavigationRequest())
    .then(() => (isGone = false));
  await visit.signIn();
  await reloaded;
  await visit.step('credentials');
  expect(new URL(page.url()).searchParams.get('ReturnUrl')).toBe(visit.returnUrl());
  await expect(visit.field('password').last()).toHaveValue('');
  await visit.signIn();
  await visit.step('second-factor-required');
  expect(visit.journeys).toHaveLength(opened + 1);
  noise.splice(0);
});

test('a chunk that stays missing ends on the error page without a reload loop [F17]', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  await page.route(part, async (route) => route.fulfill({ status: 404 }));
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.open();
  await visit.step('credentials');
  const opened = visit.journeys.length;
  const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
  await visit.signIn();
  await reloaded;
  await visit.step('credentials');
  await visit.signIn();
  await visit.called('authenticate', 2);
  await visit.step('error');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  expect(await visit.isLoading()).toBe(false);
  expect(visit.journeys).toHaveLength(opened + 1);
  noise.splice(0);
});

/** Removes the files of a part until the page has been reloaded, as the server of a new version does. */
async function removeUntilReload(
  page: Page,
  files: RegExp,
): Promise<{ isReloaded: (earlierNavigations?: number) => Promise<unknown> }> {
  let isGone = true;
  await page.route(files, async (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  return {
    isReloaded: async (earlierNavigations = 0) => {
      let left = earlierNavigations;
      await page.waitForRequest((request) => request.isNavigationRequest() && left-- === 0);
      isGone = false;
    },
  };
}

for (const [name, files, press, opened] of [
  ['phone number', /\/PhoneNumberSetUp-[\w-]+\.js$/, 'set-phone-number', 'input[name="phoneNumber"]'],
  ['authenticator app', /\/AppSetUp-[\w-]+\.js$/, 'set-up-app', '[data-action="open-app"]'],
] as const)
  test(`a missing part of the account page reloads the page and then opens: ${name} [F17]`, async ({
    page,
    visit,
    noise,
  }) => {
    const release = await removeUntilReload(page, files);
    await visit.open('/account');
    const reloaded = release.isReloaded();
    await visit.action(press).click();
    await reloaded;
    await expect(page.locator(opened)).toBeVisible();
    expect(await visit.shown()).not.toContain(words('error.serverUnreachable'));
    noise.splice(0);
  });

test('a part of the account page that stays missing shows a message without a reload loop [F17]', async ({
  page,
  visit,
  noise,
}) => {
  await page.route(/\/PhoneNumberSetUp-[\w-]+\.js$/, async (route) => route.fulfill({ status: 404 }));
  await visit.open('/account');
  const opened = visit.journeys.length;
  await visit.action('set-phone-number').click();
  await expect(page.locator('main')).toContainText(words('error.serverUnreachable'));
  expect(visit.journeys).toHaveLength(opened + 1);
  noise.splice(0);
});

test('a missing part of the account page without a connection shows a message, and the page stays [F17]', async ({
  page,
  visit,
  noise,
}) => {
  await visit.open('/account');
  await page.locator('[data-action="set-phone-number"]').waitFor();
  const opened = visit.journeys.length;
  await page.context().setOffline(true);
  await visit.action('set-phone-number').click();
  await expect(page.locator('main')).toContainText(words('error.serverUnreachable'));
  expect(visit.journeys).toHaveLength(opened);
  await page.context().setOffline(false);
  await visit.action('set-phone-number').click();
  await expect(page.locator('input[name="phoneNumber"]')).toBeFocused();
  noise.splice(0);
});

test('a missing language menu reloads the page, which keeps the typed user name [F17]', async ({
  page,
  visit,
  noise,
}) => {
  const release = await removeUntilReload(page, /\/LanguageMenu-[\w-]+\.js$/);
  await visit.open();
  await visit.step('credentials');
  await visit.field('userName').fill(dana);
  await visit.field('password').last().fill('half a passw');
  const reloaded = release.isReloaded();
  await visit.action('language').click();
  await reloaded;
  await visit.step('credentials');
  await expect(visit.field('userName')).toHaveValue(dana);
  await expect(visit.field('password').last()).toHaveValue('');
  await visit.action('language').click();
  await expect(page.getByRole('menu')).toBeVisible();
  noise.splice(0);
});

test('a missing part for the code of an authenticator app reloads the page, and the sign-in goes on [F17]', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  visit.context({ extensions: ['totp'] });
  scripted.script.answer('authenticate', { status: 'second_factor_required', mfaPhoneNumberSuffix: null });
  const release = await removeUntilReload(page, /\/load-authenticator-[\w-]+\.js$/);
  await visit.open();
  const reloaded = release.isReloaded();
  await visit.signIn();
  await reloaded;
  await visit.step('credentials');
  await visit.signIn();
  await expect(visit.field('code-1')).toBeFocused();
  noise.splice(0);
});

test('a missing passkey button reloads only a page in which nothing is typed [F17]', async ({
  page,
  visit,
  noise,
}) => {
  // autofill stays silent
  await page.route('**/api/ui/passkey/sign-in-options', async (route) => route.fulfill({ status: 500 }));
  const part = /\/load-passkey-button-[\w-]+\.js$/;
  visit.context({ extensions: ['passkeys'] });
  let reply: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    reply = resolve;
  });
  await page.route(part, async (route) => {
    await asked;
    await route.fulfill({ status: 404 });
  });
  await visit.open();
  await visit.field('userName').fill(dana);
  const opened = visit.journeys.length;
  const failed = page.waitForResponse(part);
  reply();
  await failed;
  await visit.signIn();
  await visit.called('authenticate');
  expect(visit.journeys).toHaveLength(opened);

  await page.unroute(part);
  const release = await removeUntilReload(page, part);
  // the reload can begin before the page has opened
  const reloaded = release.isReloaded(1);
  await visit.open();
  await reloaded;
  await expect(visit.action('use-passkey')).toBeVisible();
  noise.splice(0);
});
