import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

const unauthorized = wordsPattern('error.unauthorized');
const unreachable = wordsPattern('error.serverUnreachable');

test('notifications: a notice in the cookie is shown once, at its level, and the cookie is deleted', async ({
  page,
  visit,
  scripted,
}) => {
  for (const level of ['info', 'error'] as const) {
    await visit.setNotice({ level, key: 'error.serverUnreachable' });
    await visit.open();
    await visit.step('credentials');
    await expect(visit.notice(level)).toContainText(unreachable);
    await expect(visit.notice()).toHaveCount(1);
    const cookies = await page.context().cookies(scripted.urls.service);
    expect(cookies.map(({ name }) => name)).not.toContain('anteroom_notice');
    await page.reload();
    await visit.step('credentials');
    await expect(visit.notice()).toHaveCount(0);
  }
});

test('notifications: a notice is in a live region in the top corner, on the right, or on the left in a right-to-left language', async ({
  page,
  visit,
}) => {
  await visit.setNotice({ level: 'info', key: 'error.serverUnreachable' });
  await visit.open();
  await expect(
    page.locator(
      '[aria-live] [data-notification], [role="status"] [data-notification], [role="alert"] [data-notification]',
    ),
  ).toHaveCount(1);
  const box = await visit.notice().boundingBox();
  expect(box?.y).toBeLessThan(200);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(page.viewportSize()!.width - 100);
  // in right-to-left languages the end side is the left
  await visit.setNotice({ level: 'info', key: 'error.serverUnreachable' });
  await visit.open('/account/login', { returnUrl: { requested_language: 'ar' } });
  await expect(visit.notice()).toBeVisible();
  expect((await visit.notice().boundingBox())?.x).toBeLessThan(100);
});

test('notifications: a notice with an unknown key or an invalid cookie is deleted and not shown', async ({
  page,
  visit,
  scripted,
}) => {
  for (const notice of [
    { level: 'error', key: 'no.such.key' },
    { level: 'error', key: 'error' },
    { level: 'error', key: '__proto__.toString' },
    { level: 'error', key: 'constructor.name' },
    { level: 'error', key: '<img src=x onerror=alert(1)>' },
    { level: 'warning', key: 'error.unauthorized' },
    { key: 'error.unauthorized' },
    ['error', 'error.unauthorized'],
    'not json %7B',
    '%E0%A4%A',
  ]) {
    await test.step(JSON.stringify(notice), async () => {
      await visit.setNotice(notice);
      await visit.open();
      await visit.step('credentials');
      await expect(visit.notice()).toHaveCount(0);
      const cookies = await page.context().cookies(scripted.urls.service);
      expect(cookies.map(({ name }) => name)).not.toContain('anteroom_notice');
    });
  }
});

test('notifications: a notice from the cookie stays until the visitor dismisses it', async ({
  page,
  visit,
}) => {
  await page.clock.install();
  await visit.setNotice({ level: 'error', key: 'error.serverUnreachable' });
  await visit.open();
  await expect(visit.notice('error')).toBeVisible();
  await page.clock.runFor(600_000);
  await expect(visit.notice('error')).toBeVisible();
  await visit.notice('error').locator('button[data-action="dismiss"]').click();
  await page.clock.runFor(2_000);
  await expect(visit.notice()).toHaveCount(0);
});

test('notifications: a notification of the page itself closes after 10 seconds', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.cut('authenticate');
  await page.clock.install();
  await visit.open();
  await visit.step('credentials');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.signIn();
  await expect(visit.notice('error')).toContainText(unreachable);
  await page.clock.runFor(9_500);
  await expect(visit.notice('error')).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(visit.notice()).toHaveCount(0);
});

test('notifications: a notification with the pointer over it or the focus in it stays open', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.cut('authenticate');
  await visit.open();
  await visit.step('credentials');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.signIn();
  await expect(visit.notice('error')).toContainText(unreachable);
  await visit.notice().hover();
  await page.clock.runFor(60_000);
  await expect(visit.notice()).toBeVisible();
  await page.mouse.move(5, 600);
  await visit.notice().getByRole('button').focus();
  await page.clock.runFor(60_000);
  await expect(visit.notice()).toBeVisible();
  await visit.field('password').focus();
  // the time of the notification starts again
  await page.clock.runFor(10_500);
  await expect(visit.notice()).toHaveCount(0);
});

test('notifications: the notification of an expired session stays as long as the page', async ({
  page,
  visit,
}) => {
  await page.clock.install();
  visit.context({ session: { state: 'expired', isExternallyAuthenticated: false } });
  await visit.open();
  await visit.step('credentials');
  await expect(visit.notice('info')).toContainText(unauthorized);
  await page.clock.runFor(600_000);
  await expect(visit.notice('info')).toContainText(unauthorized);
  await expect(visit.notice()).toHaveCount(1);
});

test('notifications: a notice from the cookie replaces the notification of an expired session', async ({
  visit,
}) => {
  visit.context({ session: { state: 'expired', isExternallyAuthenticated: false } });
  await visit.setNotice({ level: 'error', key: 'error.serverUnreachable' });
  await visit.open();
  await visit.step('credentials');
  await expect(visit.notice('error')).toContainText(unreachable);
  await expect(visit.notice()).toHaveCount(1);
  // an invalid notice does not replace it
  await visit.setNotice({ level: 'error', key: 'no.such.key' });
  await visit.open();
  await visit.step('credentials');
  await expect(visit.notice('info')).toContainText(unauthorized);
});

test('notifications: a notification appears after the splash has closed', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('getAuthContext');
  await visit.setNotice({ level: 'info', key: 'error.serverUnreachable' });
  await visit.open();
  await visit.called('getAuthContext');
  await expect(page.locator('[data-splash]')).toHaveCount(1);
  await expect(visit.notice()).toHaveCount(0);
  release();
  await visit.step('credentials');
  await expect(visit.notice('info')).toBeVisible();
});

test('notifications: a change of language translates them', async ({ page, visit }) => {
  await visit.setNotice({ level: 'info', key: 'error.serverUnreachable' });
  await visit.open();
  await visit.step('credentials');
  await visit.action('language').click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(visit.notice('info')).toContainText(wordsPattern('error.serverUnreachable', {}, 'de'));
});
