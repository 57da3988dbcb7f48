import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

const unreachable = wordsPattern('error.serverUnreachable');

test('notifications: a notice in the cookie is shown once, at its level, and the cookie is deleted [2.70, 9.10]', async ({
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

test('notifications: a notice is in a live region in the top corner, on the right, or on the left in a right-to-left language [2.70]', async ({
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

test('notifications: a notification with the pointer over it or the focus in it stays open [WCAG 2.2.1]', async ({
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
