import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { obtainTokens, readIdToken } from '../../testing/journeys.ts';
import { listMessages } from '../../testing/outbox.ts';
import { obtainToken, useToken } from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication();
const userName = 'director@demo.example';
const knowing = { 'x-anteroom-extensions': 'totp,passkeys,factors' };

beforeEach(async () => {
  const { database } = application().services;
  // Resets the windows of all limits.
  application().clock.advanceSeconds(24 * 60 * 60);
  for (const table of ['limits', 'outbox', 'remembered_devices', 'code_messages'] as const)
    await database.deleteFrom(table).execute();
  await accept('passkey,totp,email');
  await setVerified(userName);
});

async function accept(factors: string | null): Promise<void> {
  await application()
    .services.database.updateTable('sites')
    .set({ second_factors: factors })
    .where('name', '=', 'summit')
    .execute();
}

async function setVerified(address: string | null): Promise<void> {
  await application()
    .services.database.updateTable('users')
    .set({ verified_email: address })
    .where('user_name', '=', userName)
    .execute();
}

/** Sends the right password at summit, which requires a second factor. */
async function begin(headers: Record<string, string> = knowing) {
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  const body = { returnUrl: started.returnUrl, site: 'summit', userName, password: demoPassword };
  return { browser, started, answer: await browser.post('/api/ui/authenticate', body, headers) };
}

const mails = () => listMessages(application().services.database, 'mail');

async function codeOfLatestMail(): Promise<string> {
  return /\b(\d{6})\b/.exec((await mails()).at(-1)?.text ?? '')?.[1] ?? '';
}

const verify = (browser: Browser, returnUrl: string, code: string): Promise<Answer> =>
  browser.post('/api/ui/verify-mfa-code', { returnUrl, code, factor: 'email' }, knowing);

describe('a code by e-mail', () => {
  test('is sent after the right password at a site that accepts it, and signs the user in', async () => {
    const { browser, started, answer } = await begin();
    expect(answer.json()).toMatchObject({
      status: 'second_factor_required',
      codeSent: true,
      nextCodeInSeconds: 30,
      mfaCodeValidityInMinutes: 10,
      secondFactors: [{ name: 'email', hint: 'd…r@demo.example' }],
    });
    expect(answer.json()).not.toHaveProperty('mfaPhoneNumberSuffix');
    const [mail] = await mails();
    expect(mail).toMatchObject({ recipient: userName, subject: 'Your sign-in code' });
    expect(mail?.subject).not.toMatch(/\d/);

    const tokens = await obtainTokens(
      application(),
      browser,
      started,
      await verify(browser, started.returnUrl, await codeOfLatestMail()),
    );
    expect(readIdToken(tokens)).toMatchObject({
      amr: ['pwd', 'email'],
      acr: 'https://refeds.org/profile/sfa',
    });
  });

  test('is described again after a reload, and can be sent again after the wait', async () => {
    const { browser, started } = await begin();
    const { returnUrl } = started;
    const context = await browser.call('/api/ui/auth-context', { returnUrl });
    expect(context.json()).toMatchObject({ codeSent: true, secondFactors: [{ name: 'email' }] });
    const resend = () => browser.post('/api/ui/resend-mfa-code', { returnUrl, factor: 'email' }, knowing);
    expect((await resend()).status).toBe(429);
    application().clock.advanceSeconds(31);
    expect((await resend()).status).toBe(204);
    expect(await mails()).toHaveLength(2);
    expect((await verify(browser, returnUrl, await codeOfLatestMail())).status).toBe(200);
  });

  test.each([
    ['after a wrong password', async () => undefined, 'invalid_credentials', 'wrong'],
    ['to an address that is not verified', async () => setVerified(null), 'site_requires_mfa', demoPassword],
    [
      'after the address has changed',
      async () => setVerified('old@demo.example'),
      'site_requires_mfa',
      demoPassword,
    ],
    [
      'at a site that does not list it',
      async () => accept('passkey,totp'),
      'site_requires_mfa',
      demoPassword,
    ],
  ])('is not sent %s', async (_name, change, code, password) => {
    await change();
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const body = { returnUrl, site: 'summit', userName, password };
    const answer = await browser.post('/api/ui/authenticate', body, knowing);
    expect(answer.json()).toMatchObject({ code });
    expect(await mails()).toEqual([]);
    expect(
      (await browser.post('/api/ui/resend-mfa-code', { returnUrl, factor: 'email' }, knowing)).status,
    ).toBe(401);
  });

  test('is not asked for at a site that requires no second factor, or lists no factors', async () => {
    await accept(null);
    const { answer } = await begin();
    expect(answer.json()).toMatchObject({ status: 'second_factor_required', mfaPhoneNumberSuffix: '42' });
    expect(answer.json()['secondFactors']).toEqual([{ name: 'sms', hint: '42' }]);
  });

  test('is not asked for by a page that does not know it, which refuses with a reason', async () => {
    const { answer } = await begin({ 'x-anteroom-extensions': 'totp,passkeys' });
    expect(answer.json()).toMatchObject({ code: 'site_requires_mfa' });
    expect(await mails()).toEqual([]);
  });

  test('goes to an address that is verified by the link of a recovery mail', async () => {
    await setVerified(null);
    const token = await obtainToken(application(), userName);
    expect((await useToken(application(), token, 'the ferry waits for nobody today')).status).toBe(204);
    const { verified_email: verified } = await application()
      .services.database.selectFrom('users')
      .select('verified_email')
      .where('user_name', '=', userName)
      .executeTakeFirstOrThrow();
    expect(verified).toBe(userName);
  });
});
