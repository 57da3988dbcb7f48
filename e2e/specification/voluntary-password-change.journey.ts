import { dana, expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

async function openVoluntaryChange(visit: Visit, more: Parameters<Visit['signedIn']>[0] = {}): Promise<void> {
  visit.signedIn({ promptMethod: 'change_password', ...more });
  await visit.open();
  await visit.step('password-reset-voluntary');
}

async function change(visit: Visit): Promise<void> {
  await visit.field('currentPassword').fill('old');
  await visit.field('newPassword').fill('new one');
  await visit.field('newPasswordConfirmation').fill('new one');
  await visit.submit();
}

test('voluntary change: the heading, the help link to global support, and the back link', async ({
  page,
  visit,
  scripted,
}) => {
  await openVoluntaryChange(visit);
  await expect(page).toHaveTitle(/Change password/);
  await expect(
    page.getByRole('heading', { name: wordsPattern('resetPassword.headingVoluntary') }),
  ).toBeVisible();
  await expect(visit.action('global-support').first()).toHaveAttribute(
    'href',
    `${scripted.urls.application}/support`,
  );
  await expect(visit.field('currentPassword')).toBeFocused();
  await visit.action('back').click();
  await page.waitForURL(`${scripted.urls.application}/cancelled`);
});

test('voluntary change: the external-access theme hides the footer and widens the card to 658 px', async ({
  page,
  visit,
}) => {
  await openVoluntaryChange(visit);
  const card = page.locator('[data-card]');
  await expect(card).toHaveAttribute('data-theme', 'external-access');
  for (const name of ['privacy-policy', 'language']) await expect(visit.action(name)).toHaveCount(0);
  const widths = await page.locator('main form').evaluate((form) => {
    const around: Element[] = [];
    for (let element: Element | null = form; element; element = element.parentElement) around.push(element);
    return around.map((element) => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element);
      return Math.round(element.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd));
    });
  });
  expect(widths[0]).toBeLessThanOrEqual(658);
  expect(widths).toContain(658);
});

test('voluntary change: the next step does not have the theme', async ({ page, visit, scripted }) => {
  for (const [status, step] of [
    ['credentials_required', 'credentials'],
    ['second_factor_required', 'second-factor-required'],
    ['select_site_required', 'select-site'],
  ] as const) {
    scripted.script.answer('passwordReset', { status });
    await openVoluntaryChange(visit);
    await change(visit);
    await visit.step(step);
    await expect(page.locator('[data-theme="external-access"]')).toHaveCount(0);
    await expect(visit.action('privacy-policy')).toBeVisible();
  }
});

test('voluntary change: cancel redirects to the cancel address, or opens the credentials without a cancel address', async ({
  page,
  visit,
  scripted,
}) => {
  await openVoluntaryChange(visit);
  await visit.action('cancel').click();
  await page.waitForURL(`${scripted.urls.application}/cancelled`);
  for (const name of ['cancel', 'back']) {
    await openVoluntaryChange(visit, { cancelRedirectUri: null, originalClientUri: null });
    await visit.action(name).click();
    await visit.step('credentials');
    await expect(page.locator('[data-theme="external-access"]')).toHaveCount(0);
  }
});

test('voluntary change: “redirect” follows the location at once, because the session is valid', async ({
  page,
  visit,
  scripted,
}) => {
  await openVoluntaryChange(visit);
  await change(visit);
  const { input } = await visit.called('passwordReset');
  expect(input.body).toMatchObject({
    returnUrl: visit.returnUrl(),
    currentPassword: 'old',
    newPassword: 'new one',
    newPasswordConfirmation: 'new one',
    userName: dana,
    site: 'northwind',
    authSite: 'northwind',
  });
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  expect(scripted.received('getPostLoginRedirect')).toHaveLength(0);
});

test('voluntary change: a completed change clears the prompt, so a following site selection has no “back to boards”', async ({
  visit,
  scripted,
}) => {
  scripted.script.answer('passwordReset', { status: 'select_site_required' });
  visit.signedIn({ promptMethod: 'change_password' });
  await visit.open();
  await visit.step('password-reset-voluntary');
  await change(visit);
  await visit.step('select-site');
  await expect(visit.action('back-to-boards')).toHaveCount(0);
  await expect(visit.action('sign-out')).toHaveCount(1);
});

test('voluntary change: without a user name there is no password change', async ({ visit }) => {
  visit.context({ promptMethod: 'change_password', userName: null });
  await visit.open();
  await visit.step('credentials');
});
