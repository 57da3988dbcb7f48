import { arriveAt } from '../fixtures/arrive.ts';
import { test } from './visit.ts';

test('required change: the page follows the location even if the policy cannot be reloaded [4.7]', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.answer('authenticate', { status: 'password_reset_required' });
  await visit.open();
  await visit.signIn('the old one');
  await visit.step('password-reset-required');
  scripted.script.fail('passwordPolicy', 'internal_error');
  for (const name of ['currentPassword', 'newPassword', 'newPasswordConfirmation'])
    await visit.field(name).fill('new one');
  await visit.submit();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
});
