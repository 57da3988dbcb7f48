import { beforeEach, describe, expect, test } from 'vitest';
import { provedNow } from '../../testing/begin-session.ts';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { secretary, signIn } from '../../testing/journeys.ts';
import { listMessages } from '../../testing/outbox.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { codeOfStep, fromBase32, stepAt } from '../factors/time-based-codes.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';

const application = useApplication();

beforeEach(async () => {
  const { database } = application().services;
  application().clock.advanceSeconds(120);
  const tables = [
    'limits',
    'outbox',
    'remembered_devices',
    'sessions',
    'passkeys',
    'authenticator_apps',
    'recovery_codes',
  ] as const;
  for (const table of tables) await database.deleteFrom(table).execute();
  await requireAt('harbor', false);
});

type Offer = { secret: string; uri: string; recoveryCodes: string[] };

const read = async (browser: Browser) => (await browser.call('/api/ui/account')).json();
const send = (browser: Browser, call: string, body: object = {}) =>
  browser.post(`/api/ui/account/${call}`, body);
const offer = async (browser: Browser) => (await send(browser, 'authenticator-app/offer')).json() as Offer;
const codeOf = ({ secret }: Pick<Offer, 'secret'>): string =>
  codeOfStep(fromBase32(secret), stepAt(application().clock.now()));
const setUp = (browser: Browser, code: string) => send(browser, 'authenticator-app/set-up', { code });

async function signedIn(): Promise<Browser> {
  const browser = application().openBrowser();
  await signIn(browser);
  await read(browser);
  return browser;
}

async function withApp() {
  const browser = await signedIn();
  const offered = await offer(browser);
  expect((await setUp(browser, codeOf(offered))).status).toBe(204);
  return { browser, offered };
}

async function userId(): Promise<string> {
  const { id } = await application()
    .services.database.selectFrom('users')
    .select('id')
    .where('user_name', '=', secretary.userName)
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives the browser a new session with these authentication methods. */
async function setSession(browser: Browser, methods: AuthenticationMethod[]): Promise<void> {
  const { database, sessions } = application().services;
  const account = await database
    .selectFrom('users')
    .select(['id', 'security_version as securityVersion'])
    .where('id', '=', await userId())
    .executeTakeFirstOrThrow();
  const issued = await sessions.signIn(undefined, {
    account,
    methods: provedNow(...methods),
    authSite: 'harbor',
  });
  const { cookieValue = '' } = issued ?? {};
  browser.cookies.set('anteroom_session', { value: cookieValue, path: '/' });
}

async function requireAt(site: string, isRequired: boolean, factors: string | null = null): Promise<void> {
  await application()
    .services.database.updateTable('sites')
    .set({ second_factor_required: isRequired, second_factors: factors })
    .where('name', '=', site)
    .execute();
}

async function mails(): Promise<string[]> {
  await application().services.settleMessages();
  const rows = await listMessages(application().services.database, 'mail');
  return rows.map(({ text }) => text);
}

describe('an authenticator app on the account page', () => {
  test('is set up by its first correct code, which ends other sessions and notifies the user by mail', async () => {
    const elsewhere = await signedIn();
    const { browser } = await withApp();
    expect(await read(browser)).toMatchObject({
      authenticatorApp: { setUpAt: expect.any(String) as unknown, recoveryCodesLeft: 10 },
      sessions: [{ isPresent: true }],
    });
    expect((await elsewhere.call('/api/ui/sites')).status).toBe(401);
    expect(await mails()).toEqual([
      expect.stringContaining('An authenticator app was set up for your account.'),
    ]);
  });

  test('is not stored after a wrong code, and the offer stays the same', async () => {
    const browser = await signedIn();
    const offered = await offer(browser);
    const wrong = codeOf(offered) === '000000' ? '111111' : '000000';
    expect((await setUp(browser, wrong)).json()['code']).toBe('invalid_credentials');
    expect((await read(browser))['authenticatorApp']).toBeUndefined();
    expect(await offer(browser)).toEqual(offered);
  });

  test('is offered under the product name of the application that the user came from', async () => {
    const browser = await signedIn();
    const { uri } = await offer(browser);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Anteroom:secretary%40demo\.example\?secret=/);
  });

  test('cannot be offered, set up or removed without authentication in the last 10 minutes [S25]', async () => {
    const browser = await signedIn();
    const offered = await offer(browser);
    application().clock.advanceSeconds(601);
    for (const [call, body] of [
      ['authenticator-app/offer', {}],
      ['authenticator-app/set-up', { code: codeOf(offered) }],
      ['authenticator-app/remove', {}],
      ['recovery-codes', {}],
    ] as const)
      expect((await send(browser, call, body)).status).toBe(401);
    await application().services.database.deleteFrom('sessions').execute();
    expect((await browser.call('/api/ui/account')).status).toBe(401);
  });

  test('cannot be replaced or removed without using it [S25]', async () => {
    const { browser } = await withApp();
    await setSession(browser, ['pwd']);
    // Sets the anti-forgery token of that session.
    await beginSignIn(browser, portal, { prompt: 'switch_site' });
    for (const call of ['authenticator-app/offer', 'authenticator-app/remove', 'recovery-codes'])
      expect((await send(browser, call)).status).toBe(401);
  });

  test('an offer of another session cannot be used [S25]', async () => {
    const stranger = await signedIn();
    const foreign = await offer(stranger);
    const browser = await signedIn();
    expect((await setUp(browser, codeOf(foreign))).json()['code']).toBe('invalid_credentials');
  });

  test('only one of 50 concurrent enrolments succeeds [S36]', async () => {
    const browser = await signedIn();
    const code = codeOf(await offer(browser));
    const answers = await Promise.all(Array.from({ length: 50 }, () => setUp(browser, code)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  test('can be replaced by another app with new recovery codes', async () => {
    const { browser, offered } = await withApp();
    application().clock.advanceSeconds(60);
    const next = await offer(browser);
    expect(next.secret).not.toBe(offered.secret);
    expect((await setUp(browser, codeOf(next))).status).toBe(204);
    const { apps } = application().services.factors;
    expect(await apps.describe(await userId())).toMatchObject({ recoveryCodesLeft: 10 });
    const hashes = await application()
      .services.database.selectFrom('recovery_codes')
      .select('code_hash')
      .execute();
    expect(hashes).toHaveLength(10);
  });

  test('is removed with its recovery codes, which ends other sessions and notifies the user by mail', async () => {
    const { browser } = await withApp();
    const other = application().openBrowser();
    await setSession(other, ['pwd', 'otp']);
    expect((await send(browser, 'authenticator-app/remove')).status).toBe(204);
    expect((await read(browser))['authenticatorApp']).toBeUndefined();
    expect((await other.call('/api/ui/sites')).status).toBe(401);
    expect((await mails()).at(-1)).toContain('was removed from your account, with its recovery codes');
  });

  test.each([
    ['the site accepts any factor', null, false],
    ['the site accepts passkeys, and the user has one', 'passkey', true],
    ['the site does not accept passkeys', 'totp', false],
  ])(
    'the last factor that a site requires cannot be removed: %s [S25]',
    async (_name, factors, hasPasskey) => {
      const { browser } = await withApp();
      await requireAt('harbor', true, factors);
      if (hasPasskey) await addPasskey();
      const answer = await send(browser, 'authenticator-app/remove');
      expect(answer.status).toBe(hasPasskey ? 204 : 401);
      if (!hasPasskey) expect(answer.json()['code']).toBe('site_requires_mfa');
      // A refused removal is rolled back, so the session is still valid.
      expect((await browser.call('/api/ui/account')).status).toBe(200);
    },
  );
});

async function addPasskey(): Promise<void> {
  await application()
    .services.database.insertInto('passkeys')
    .values({
      credential_id: 'a-passkey',
      user_id: await userId(),
      public_key: 'a-key',
      sign_count: 0,
      backup_eligible: false,
      backed_up: false,
      transports: '[]',
      aaguid: '',
      name: 'A key',
      created_at: application().clock.now(),
    })
    .execute();
}

describe('recovery codes on the account page', () => {
  test('can be replaced, and the user is notified by mail', async () => {
    const { browser, offered } = await withApp();
    const answer = await send(browser, 'recovery-codes');
    const codes = answer.json()['recoveryCodes'] as string[];
    expect(new Set([...codes, ...offered.recoveryCodes]).size).toBe(20);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{16}$/);
    expect((await mails()).at(-1)).toContain('New recovery codes were created');
    expect((await browser.call('/api/ui/account')).status).toBe(200);
  });

  test('cannot be created without an app', async () => {
    const browser = await signedIn();
    await setSession(browser, ['pwd', 'sms']);
    // Sets the anti-forgery cookie.
    await browser.call('/api/ui/account');
    expect((await send(browser, 'recovery-codes')).status).toBe(404);
    expect(await mails()).toEqual([]);
  });
});
