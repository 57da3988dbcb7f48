import { beforeEach, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { secretary, sendPassword, signIn } from '../../testing/journeys.ts';
import { askForLink, deliverMails, openRecoveryPage } from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const spellings = [
  '\u200Esecretary@demo.example',
  '\u202Asecretary@demo.example\u202C',
  '\u2066secretary@demo.example\u2069',
  '\u2068secretary@demo.example\u2069',
  'secretary\u200B@demo.example',
  'secretary@demo\u2060.example',
  'secre\u00ADtary@demo.example',
  'mailto:secretary@demo.example',
  'Secretary <secretary@demo.example>',
  'SECRETARY@DEMO.EXAMPLE\u00A0',
  'secretary@demo.example;',
];

beforeEach(async () => {
  await application().services.database.deleteFrom('limits').execute();
});

test.each(spellings)('a visitor signs in with the pasted name %j', async (userName) => {
  expect((await signIn(application().openBrowser(), {}, { ...secretary, userName })).code).not.toBe('');
});

test.each(spellings)('the recovery mail for %j goes to the stored address', async (userName) => {
  await askForLink(await openRecoveryPage(application()), userName);
  expect(await deliverMails(application())).toMatchObject([{ recipient: 'secretary@demo.example' }]);
});

test('the limits count all spellings of an unknown name as one user [S33]', async () => {
  const statuses = [];
  for (const spelling of spellings) {
    const browser = application().openBrowser();
    const userName = spelling.replace(/secre\u00AD?tary/i, 'nobody');
    const answer = await sendPassword(browser, await beginSignIn(browser, portal), {
      ...secretary,
      userName,
    });
    statuses.push(answer.status);
  }
  expect(statuses).toContain(429);
});

test.each([
  '\u2068employee@corp.example\u2069',
  'mailto:employee@Corp.example',
  'E <employee@ｃｏｒｐ.example>',
])(
  'the pasted address %j leads to its organisation, which gets the address itself as a hint',
  async (usernameOrEmail) => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const answer = await browser.call('/api/ui/auth/settings/user', { usernameOrEmail, returnUrl });
    expect(answer.json()).toMatchObject({ shouldRedirectToExternalAuth: true });
    const row = await application()
      .services.database.selectFrom('sign_ins')
      .select('external_hint')
      .where('external_hint', 'is not', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    expect(row?.external_hint?.toLowerCase()).toBe('employee@corp.example');
  },
);
