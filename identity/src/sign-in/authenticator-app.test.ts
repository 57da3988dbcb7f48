import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { followToApplication, obtainTokens, readIdToken, sendPassword } from '../../testing/journeys.ts';
import { listMessages } from '../../testing/outbox.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';
import { codeOfStep, fromBase32, stepAt } from '../factors/time-based-codes.ts';

const application = useApplication();
/** Credentials of a member without a second factor, at a site that requires one. */
const credentials = { site: 'summit', userName: 'secretary@demo.example', password: demoPassword };
const knowing = { 'x-anteroom-extensions': 'totp' };

beforeEach(async () => {
  const { database } = application().services;
  // Advances the clock, so that no test depends on the time steps of an earlier test.
  application().clock.advanceSeconds(120);
  for (const table of [
    'limits',
    'outbox',
    'remembered_devices',
    'authenticator_apps',
    'recovery_codes',
  ] as const)
    await database.deleteFrom(table).execute();
  const site = await database
    .selectFrom('sites')
    .select('id')
    .where('name', '=', 'summit')
    .executeTakeFirstOrThrow();
  await allowApps(true);
  const membership = { user_id: await userId(), site_id: site.id, entitlement_requirements_met: true };
  await database
    .insertInto('memberships')
    .values({ ...membership, client_entitlement: 'none', created_at: application().clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
});

async function allowApps(isAllowed: boolean): Promise<void> {
  await application()
    .services.database.updateTable('sites')
    .set({ authenticator_apps: isAllowed })
    .where('name', '=', 'summit')
    .execute();
}

async function userId(): Promise<string> {
  const { id } = await application()
    .services.database.selectFrom('users')
    .select('id')
    .where('user_name', '=', credentials.userName)
    .executeTakeFirstOrThrow();
  return id;
}

type Enrolment = { secret: string; uri: string; recoveryCodes: string[] };

async function begin(
  browser: Browser = application().openBrowser(),
  headers: Record<string, string> = knowing,
) {
  const started = await beginSignIn(browser, portal);
  const { returnUrl } = started;
  const answer = await browser.post('/api/ui/authenticate', { returnUrl, ...credentials }, headers);
  return { browser, started, returnUrl, answer };
}

const describeApp = (
  browser: Browser,
  returnUrl: string,
  headers: Record<string, string> = knowing,
): Promise<Answer> => browser.post('/api/ui/authenticator-app', { returnUrl }, headers);
const verify = (browser: Browser, returnUrl: string, code: string, more: object = {}): Promise<Answer> =>
  browser.post('/api/ui/verify-mfa-code', { returnUrl, code, ...more }, knowing);

/** The code that the user's app shows `steps` time steps from now. */
function codeOf({ secret }: Pick<Enrolment, 'secret'>, steps = 0): string {
  return codeOfStep(fromBase32(secret), stepAt(application().clock.now()) + steps);
}
const wrongCode = (enrolment: Pick<Enrolment, 'secret'>): string => {
  const right = [-1, 0, 1].map((step) => codeOf(enrolment, step));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
};

/** Creates a user with an app, and moves the clock beyond the time step of the enrolment. */
async function enrol(browser?: Browser) {
  const begun = await begin(browser);
  const enrolment = (await describeApp(begun.browser, begun.returnUrl)).json()['enrolment'] as Enrolment;
  const answer = await verify(begun.browser, begun.returnUrl, codeOf(enrolment));
  application().clock.advanceSeconds(120);
  return { ...begun, enrolment, answer };
}

/** Does the same as `enrol` for a user who then gets a phone number. */
async function enrolWithPhone() {
  await setPhoneNumber(null);
  const enrolled = await enrol();
  await setPhoneNumber('+442079460177');
  return enrolled;
}

async function setPhoneNumber(phoneNumber: string | null): Promise<void> {
  const { database } = application().services;
  await database
    .updateTable('users')
    .set({ phone_number: phoneNumber })
    .where('id', '=', await userId())
    .execute();
}

async function setSecondFactors(names: string | null): Promise<void> {
  const { database } = application().services;
  await database.updateTable('sites').set({ second_factors: names }).where('name', '=', 'summit').execute();
}

const resend = (browser: Browser, returnUrl: string): Promise<Answer> =>
  browser.post('/api/ui/resend-mfa-code', { returnUrl }, knowing);

/** The codes of the sent messages. */
async function sentMessages(): Promise<string[]> {
  await application().services.settleMessages();
  const { database } = application().services;
  const rows = await database.selectFrom('outbox').select('text').where('kind', '=', 'sms').execute();
  return rows.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
}

const mails = async (): Promise<string[]> => {
  await application().services.settleMessages();
  const rows = await listMessages(application().services.database, 'mail');
  return rows.map(({ text }) => text);
};

describe('a user without a second factor, at a site that requires one', () => {
  test('sets up an authenticator app and signs in; the tokens contain `otp`, and a mail informs the user', async () => {
    const { browser, started, returnUrl, answer } = await begin();
    expect(answer.json()).toEqual({ status: 'second_factor_required', mfaAdaptivePolicyEnabled: true });
    const described = (await describeApp(browser, returnUrl)).json()['enrolment'] as Enrolment;
    expect(described.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(described.uri).toMatch(
      /^otpauth:\/\/totp\/[^?]+secretary%40demo\.example\?secret=[A-Z2-7]{32}&issuer=/,
    );
    expect(new Set(described.recoveryCodes).size).toBe(10);
    for (const code of described.recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{16}$/);
    // A reloaded page continues at this step with the same secrets.
    expect((await browser.call('/api/ui/auth-context', { returnUrl })).json()).toMatchObject({
      awaitedStep: 'second_factor_required',
    });
    expect((await describeApp(browser, returnUrl)).json()['enrolment']).toEqual(described);
    expect((await browser.call('/api/ui/sites')).status).toBe(401);
    const claims = readIdToken(
      await obtainTokens(
        application(),
        browser,
        started,
        await verify(browser, returnUrl, codeOf(described)),
      ),
    );
    expect(claims).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], site: 'summit' });
    expect(await mails()).toEqual([
      expect.stringContaining('An authenticator app was set up for your account.'),
    ]);
  });

  test('is refused on a page that does not support authenticator apps', async () => {
    const { browser, returnUrl, answer } = await begin(undefined, {});
    expect([answer.status, answer.json()['code']]).toEqual([401, 'site_requires_mfa']);
    expect((await describeApp(browser, returnUrl, {})).status).toBe(401);
    const other = await begin(undefined, { 'x-anteroom-extensions': 'passkeys, totps' });
    expect(other.answer.json()['code']).toBe('site_requires_mfa');
  });

  test('is refused at a site that does not allow setting up a factor', async () => {
    await allowApps(false);
    const { answer } = await begin();
    expect(answer.json()['code']).toBe('site_requires_mfa');
  });

  test('cannot set up an app with only a session, or with a password proved too long ago [S25]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    await followToApplication(
      browser,
      await sendPassword(browser, started, { ...credentials, site: 'harbor' }),
    );
    const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    expect((await describeApp(browser, returnUrl)).status).toBe(401);
    expect((await verify(browser, returnUrl, '123456')).json()['code']).toBe('unauthorized');

    const late = await begin();
    const { enrolment } = (await describeApp(late.browser, late.returnUrl)).json() as {
      enrolment: Enrolment;
    };
    application().clock.advanceSeconds(601);
    expect((await describeApp(late.browser, late.returnUrl)).status).toBe(401);
    expect((await verify(late.browser, late.returnUrl, codeOf(enrolment))).status).toBe(401);
  });

  test('one of 50 parallel enrolments succeeds; a secret offered to another browser is refused [S36]', async () => {
    const { browser, returnUrl } = await begin();
    const { enrolment } = (await describeApp(browser, returnUrl)).json() as { enrolment: Enrolment };
    const other = await begin();
    const foreign = (await describeApp(other.browser, other.returnUrl)).json()['enrolment'] as Enrolment;
    expect(foreign.secret).not.toBe(enrolment.secret);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => verify(browser, returnUrl, codeOf(enrolment))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    application().clock.advanceSeconds(60);
    expect((await verify(other.browser, other.returnUrl, codeOf(foreign))).status).toBe(401);
  });
});

describe('a user with an authenticator app', () => {
  test('signs in with a code of the current, previous or next time step', async () => {
    const { enrolment } = await enrol();
    for (const steps of [-1, 1]) {
      const { browser, returnUrl, answer } = await begin();
      expect(answer.json()).toEqual({ status: 'second_factor_required', mfaAdaptivePolicyEnabled: true });
      expect((await describeApp(browser, returnUrl)).json()).toEqual({});
      expect((await verify(browser, returnUrl, codeOf(enrolment, steps))).json()['status']).toBe('redirect');
      application().clock.advanceSeconds(120);
    }
  });

  test('refuses a used code, and every code of an earlier time step [S36]', async () => {
    const { enrolment } = await enrol();
    const code = codeOf(enrolment, 0);
    const earlier = codeOf(enrolment, -1);
    const first = await begin();
    expect((await verify(first.browser, first.returnUrl, code)).status).toBe(200);
    const second = await begin();
    for (const used of [code, earlier])
      expect((await verify(second.browser, second.returnUrl, used)).json()['code']).toBe(
        'invalid_credentials',
      );
  });

  test('allows five attempts per sign-in for app and recovery codes together, and counts them for the account [S35]', async () => {
    const { enrolment } = await enrol();
    const { browser, returnUrl } = await begin();
    const wrong = [wrongCode(enrolment), 'A'.repeat(16)];
    const seen = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      seen.push((await verify(browser, returnUrl, wrong[attempt % 2] ?? '')).json()['code']);
      application().clock.advanceSeconds(90);
    }
    expect(seen).toEqual(Array.from({ length: 5 }, () => 'invalid_credentials'));
    expect((await verify(browser, returnUrl, codeOf(enrolment))).json()['code']).toBe(
      'mfa_max_attempts_exceeded',
    );
    const { used } = await application()
      .services.database.selectFrom('limits')
      .select((count) => count.fn.max('used').as('used'))
      .executeTakeFirstOrThrow();
    expect(used).toBe(5);
  });

  describe('and with a phone number', () => {
    beforeEach(async () => setPhoneNumber('+442079460177'));
    afterEach(async () => {
      await setPhoneNumber(null);
      await setSecondFactors(null);
    });

    test('is asked for the code of the app, and can request a code by text message', async () => {
      const { enrolment } = await enrolWithPhone();
      const { browser, started, returnUrl, answer } = await begin();
      expect(answer.json()).toEqual({ status: 'second_factor_required', mfaAdaptivePolicyEnabled: true });
      expect(await sentMessages()).toEqual([]);
      expect((await describeApp(browser, returnUrl)).json()).toEqual({ mfaPhoneNumberSuffix: '77' });
      // A reloaded page lists no extensions in its first call.
      expect((await browser.call('/api/ui/auth-context', { returnUrl })).json()).not.toHaveProperty(
        'mfaPhoneNumberSuffix',
      );
      expect((await resend(browser, returnUrl)).status).toBe(204);
      const [code = ''] = await sentMessages();
      expect((await verify(browser, returnUrl, code)).json()['code']).toBe('invalid_credentials');
      expect((await verify(browser, returnUrl, codeOf(enrolment), { factor: 'sms' })).status).toBe(401);
      const claims = readIdToken(
        await obtainTokens(
          application(),
          browser,
          started,
          await verify(browser, returnUrl, code, { factor: 'sms' }),
        ),
      );
      expect(claims).toMatchObject({ amr: ['pwd', 'sms'] });
    });

    test('signs in by text message on a page that does not support authenticator apps', async () => {
      await enrolWithPhone();
      const { browser, returnUrl, answer } = await begin(undefined, {});
      expect(answer.json()).toMatchObject({ status: 'second_factor_required', mfaPhoneNumberSuffix: '77' });
      const [code = ''] = await sentMessages();
      const verified = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code });
      expect(verified.json()['status']).toBe('redirect');
    });

    test('gets no message at a site that does not accept SMS codes, and cannot enter with an SMS code [S25]', async () => {
      const { enrolment } = await enrolWithPhone();
      await setSecondFactors('totp');
      const older = await begin(undefined, {});
      expect(older.answer.json()['code']).toBe('site_requires_mfa');
      const { browser, returnUrl } = await begin();
      expect((await describeApp(browser, returnUrl)).json()).toEqual({});
      expect((await resend(browser, returnUrl)).status).toBe(401);
      expect((await verify(browser, returnUrl, '123456', { factor: 'sms' })).json()['code']).toBe(
        'unauthorized',
      );
      expect(await sentMessages()).toEqual([]);
      expect((await verify(browser, returnUrl, codeOf(enrolment))).json()['status']).toBe('redirect');
    });

    test('cannot enter a site that does not accept SMS codes with a session that began with an SMS code elsewhere [S25]', async () => {
      await enrolWithPhone();
      await setSecondFactors('totp');
      const browser = application().openBrowser();
      const elsewhere = await beginSignIn(browser, portal);
      const { returnUrl } = elsewhere;
      await browser.post('/api/ui/authenticate', { returnUrl, ...credentials, site: 'harbor' }, knowing);
      await resend(browser, returnUrl);
      const [code = ''] = await sentMessages();
      await followToApplication(browser, await verify(browser, returnUrl, code, { factor: 'sms' }));
      const chosen = await beginSignIn(browser, portal, { prompt: 'switch_site' });
      const body = { returnUrl: chosen.returnUrl, site: 'summit' };
      expect((await browser.post('/api/ui/auth/select-site', body, knowing)).json()['status']).toBe(
        'second_factor_required',
      );
    });

    test('a user with only a phone number is refused at a site without SMS codes, and cannot set up an app there [S25]', async () => {
      await setSecondFactors('totp,passkey');
      const { browser, returnUrl, answer } = await begin();
      expect(answer.json()['code']).toBe('site_requires_mfa');
      expect((await describeApp(browser, returnUrl)).status).toBe(401);
      expect(await sentMessages()).toEqual([]);
    });

    test('wrong app codes, SMS codes and recovery codes share one count [S35]', async () => {
      const { enrolment } = await enrolWithPhone();
      const first = await begin();
      await resend(first.browser, first.returnUrl);
      const [sent = ''] = await sentMessages();
      const wrongOfMessage = sent === '000000' ? '111111' : '000000';
      const attempts: [string, object][] = [
        [wrongCode(enrolment), {}],
        [wrongOfMessage, { factor: 'sms' }],
        ['A'.repeat(16), {}],
      ];
      for (const [code, more] of attempts) {
        const answer = await verify(first.browser, first.returnUrl, code, more);
        expect(answer.json()['code']).toBe('invalid_credentials');
        application().clock.advanceSeconds(90);
      }
      const { used } = await application()
        .services.database.selectFrom('limits')
        .select((count) => count.fn.max('used').as('used'))
        .executeTakeFirstOrThrow();
      expect(used).toBe(3);
    });
  });

  test('the enrolment ends every earlier session and forgets every remembered computer [S23]', async () => {
    const before = application().openBrowser();
    const started = await beginSignIn(before, portal);
    await followToApplication(
      before,
      await sendPassword(before, started, { ...credentials, site: 'harbor' }),
    );
    expect((await before.call('/api/ui/sites')).status).toBe(200);
    await enrol();
    expect((await before.call('/api/ui/sites')).status).toBe(401);
  });

  test('a remembered private computer is not asked for a code again', async () => {
    const { browser } = await enrol();
    const started = await beginSignIn(browser, portal, { prompt: 'login' });
    const answer = await browser.post(
      '/api/ui/authenticate',
      { returnUrl: started.returnUrl, password: demoPassword },
      knowing,
    );
    expect(answer.json()['status']).toBe('redirect');
  });

  test('the secret is stored sealed, and the recovery codes as keyed hashes', async () => {
    const { enrolment } = await enrol();
    const { database } = application().services;
    const stored = JSON.stringify([
      await database.selectFrom('authenticator_apps').selectAll().execute(),
      await database.selectFrom('recovery_codes').selectAll().execute(),
    ]);
    for (const secret of [enrolment.secret, ...enrolment.recoveryCodes]) expect(stored).not.toContain(secret);
  });
});

describe('a recovery code', () => {
  test('replaces the app once, and a mail says how many are left', async () => {
    const { enrolment } = await enrol();
    const [code = ''] = enrolment.recoveryCodes;
    const first = await begin();
    const printed = `1. ${code.replaceAll(/.{4}(?=.)/g, '$&–').toLowerCase()}`;
    expect((await verify(first.browser, first.returnUrl, printed)).json()['status']).toBe('redirect');
    expect((await mails()).at(-1)).toContain('Recovery codes left: 9.');
    const second = await begin();
    expect((await verify(second.browser, second.returnUrl, code)).json()['code']).toBe('invalid_credentials');
  });

  test('works down to the last code; with three codes left, the mail asks the user to create new codes', async () => {
    const { enrolment } = await enrol();
    for (const code of enrolment.recoveryCodes) {
      const { browser, returnUrl } = await begin();
      expect((await verify(browser, returnUrl, code)).json()['status']).toBe('redirect');
      await application().services.database.deleteFrom('limits').execute();
    }
    const asking = (await mails()).filter((text) => text.includes('Create new ones on your account page'));
    // mails are sent in parallel
    const left = asking.map((text) => /left: (\d)/.exec(text)?.[1]);
    expect(left.map(Number).toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3]);
  });

  test('is refused for another user, and before the password [S36]', async () => {
    const { enrolment } = await enrol();
    const [code = ''] = enrolment.recoveryCodes;
    const director = application().openBrowser();
    const started = await beginSignIn(director, portal);
    await sendPassword(director, started, { ...credentials, userName: 'director@demo.example' });
    expect((await verify(director, started.returnUrl, code)).json()['code']).toBe('unauthorized');
    const stranger = application().openBrowser();
    const { returnUrl } = await beginSignIn(stranger, portal);
    expect((await verify(stranger, returnUrl, code)).json()['code']).toBe('unauthorized');
  });
});
