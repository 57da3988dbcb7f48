import { expect, test } from './visit.ts';

// Attacks and faults, F17: a new version is deployed while a page of the previous one is open, whose files are then missing.

const part = /\/assets\/app\/SecondFactorScreen-[\w-]+\.js$/;

test('F17: a missing chunk reloads the page once, and the new version continues the sign-in', async ({
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

test('F17: a chunk that stays missing ends on the error page without a reload loop', async ({
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
  await expect(page.locator('main[data-step]')).toContainText(/\S/);
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  expect(await visit.isLoading()).toBe(false);
  expect(visit.journeys).toHaveLength(opened + 1);
  noise.splice(0);
});
