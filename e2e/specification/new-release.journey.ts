import { expect, test } from './visit.ts';

// Attacks and faults, F17: a new version was installed while a page of the one before is open, and its files are gone.

const part = /\/assets\/app\/SecondFactorScreen-[\w-]+\.js$/;

test('F17: a part that is gone makes the page load itself anew, once, and the new version goes on with the sign-in', async ({
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
  // what the page asks for from here on is the new version's, where everything is there
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

test('F17: a part that is gone for good ends on the error page, and the page does not load itself for ever', async ({
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
