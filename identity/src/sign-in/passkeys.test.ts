import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { followToApplication, readIdToken, redeem } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import type { SoftwarePasskey } from '../../testing/software-passkey.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication({ settings: { PASSKEY_RP_ID: 'localhost' } });
const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };
const knowing = { 'x-anteroom-extensions': 'totp,passkeys' };
const honest = { origin: publicUrl, rpId: 'localhost' };

beforeEach(async () => {
  const { database } = application().services;
  for (const table of [
    'limits',
    'outbox',
    'code_messages',
    'remembered_devices',
    'passkeys',
    'passkey_refusals',
    'used_passkey_challenges',
  ] as const)
    await database.deleteFrom(table).execute();
});

type Started = Awaited<ReturnType<typeof beginSignIn>>;
type Options = { challenge: string };

const call = (browser: Browser, path: string, body: object): Promise<Answer> =>
  browser.post(`/api/ui/passkey/${path}`, body, knowing);
const optionsOf = (answer: Answer): Options => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json()['options'] as Options;
};
const codeOf = ({ status, json }: Answer): unknown => (status === 200 ? json()['status'] : json()['code']);

async function latest(kind: 'sms' | 'mail'): Promise<string> {
  await application().services.settleMessages();
  const row = await application()
    .services.database.selectFrom('outbox')
    .select('text')
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.text ?? '';
}

/** Signs the director in with a password and a code, and returns before the final redirect. */
async function signInWithCode(more: object = {}, changes: Record<string, string> = {}) {
  application().clock.advanceSeconds(60);
  await application().services.database.deleteFrom('code_messages').execute();
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal, changes);
  const { returnUrl } = started;
  const asked = await browser.post('/api/ui/authenticate', { returnUrl, ...director }, knowing);
  expect(asked.json()['status']).toBe('second_factor_required');
  const code = /\b\d{6}\b/.exec(await latest('sms'))?.[0];
  const answer = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code, ...more }, knowing);
  return { browser, started, returnUrl, answer };
}

async function enrol(passkey: SoftwarePasskey = createSoftwarePasskey(honest)) {
  const begun = await signInWithCode();
  const { browser, returnUrl } = begun;
  const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
  const answer = await call(browser, 'enrolment', { returnUrl, credential: passkey.create(options) });
  return { ...begun, passkey, answer };
}

async function begin(changes: Record<string, string> = {}, browser = application().openBrowser()) {
  const started: Started = await beginSignIn(browser, portal, changes);
  const { returnUrl } = started;
  const options = optionsOf(await call(browser, 'sign-in-options', { returnUrl }));
  const send = (credential: object, more: object = {}): Promise<Answer> =>
    call(browser, 'sign-in', { returnUrl, site: 'northwind', credential, ...more });
  return { browser, started, returnUrl, options, send };
}

describe('a user with a passkey', () => {
  test('signs in without a password and a code; the tokens contain the authentication methods', async () => {
    const { passkey } = await enrol();
    const { browser, started, options, send } = await begin();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    const returned = await followToApplication(browser, await send(passkey.get(options)));
    const claims = readIdToken(await redeem(application(), { ...started, code: returned.get('code') ?? '' }));
    expect(claims).toMatchObject({
      amr: ['hwk', 'user', 'mfa'],
      acr: 'https://refeds.org/profile/mfa',
      site: 'northwind',
    });
  });

  test('gets another amr if the passkey is synchronised', async () => {
    const passkey = createSoftwarePasskey(honest);
    const { browser, returnUrl } = await signInWithCode();
    const created = passkey.create(optionsOf(await call(browser, 'enrolment-options', { returnUrl })), {
      isSynchronised: true,
    });
    expect((await call(browser, 'enrolment', { returnUrl, credential: created })).status).toBe(200);
    for (const visit of [await begin(), await begin()]) {
      const returned = await followToApplication(
        visit.browser,
        await visit.send(passkey.get(visit.options, { isSynchronised: true })),
      );
      const tokens = await redeem(application(), { ...visit.started, code: returned.get('code') ?? '' });
      expect(readIdToken(tokens)['amr']).toEqual(['swk', 'user', 'mfa']);
    }
  });

  test('reaches a requested acr, and confirms a session for elevate', async () => {
    const { passkey } = await enrol();
    const first = await begin({ acr_values: 'https://refeds.org/profile/mfa' });
    await followToApplication(first.browser, await first.send(passkey.get(first.options)));
    const again = await begin({ prompt: 'elevate' }, first.browser);
    const returned = await followToApplication(again.browser, await again.send(passkey.get(again.options)));
    expect(returned.get('code')).toMatch(/./);
  });

  test('enters a site that requires a second factor without another factor', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    const setPhoneNumber = (phone_number: string | null) =>
      database
        .updateTable('people')
        .set({ phone_number })
        .where('user_name', '=', director.userName)
        .execute();
    const { phone_number: phoneNumber } = await database
      .selectFrom('people')
      .select('phone_number')
      .where('user_name', '=', director.userName)
      .executeTakeFirstOrThrow();
    await database
      .updateTable('sites')
      .set({ second_factor_required: true })
      .where('name', '=', 'northwind')
      .execute();
    await setPhoneNumber(null);
    const { browser, send, options } = await begin();
    const returned = await followToApplication(browser, await send(passkey.get(options)));
    expect(returned.get('code')).toMatch(/./);
    const other = application().openBrowser();
    const { returnUrl } = await beginSignIn(other, portal);
    const byPassword = await other.post('/api/ui/authenticate', { returnUrl, ...director }, knowing);
    expect(codeOf(byPassword)).toBe('site_requires_mfa');
    await setPhoneNumber(phoneNumber);
  });

  test('must change a password if that is required, before the sign-in continues', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    const { person_id: personId } = await database
      .selectFrom('passkeys')
      .select('person_id')
      .executeTakeFirstOrThrow();
    const ofDirector = database.updateTable('credentials').where('person_id', '=', personId);
    const { password_hash } = await database
      .selectFrom('credentials')
      .select('password_hash')
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow();
    await ofDirector.set({ must_change: true }).execute();
    const { browser, returnUrl, options, send } = await begin();
    expect(codeOf(await send(passkey.get(options)))).toBe('password_reset_required');
    expect((await browser.call('/api/ui/sites')).status).toBe(401);
    const password = 'Quiet harbour lantern 29';
    const change = { newPassword: password, newPasswordConfirmation: password };
    const answer = await browser.post(
      '/api/ui/password-reset',
      { returnUrl, currentPassword: director.password, ...change },
      knowing,
    );
    expect(codeOf(answer)).toBe('redirect');
    await ofDirector.set({ password_hash }).execute();
  });

  test('cannot enter a site that requires its own identity provider', async () => {
    const { passkey } = await enrol();
    const { send, options } = await begin();
    expect(codeOf(await send(passkey.get(options), { site: 'corp' }))).toBe('invalid_credentials');
  });
});

describe('an attack on a sign-in by passkey', () => {
  const refusal = async (deviations: Parameters<SoftwarePasskey['get']>[1]): Promise<unknown> => {
    const { passkey } = await enrol();
    const { send, options, browser } = await begin();
    const code = codeOf(await send(passkey.get(options, deviations)));
    expect((await browser.call('/api/ui/sites')).status).toBe(401);
    return code;
  };

  test.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['another RP ID', { rpId: 'evil.test' }],
    ['a user whom the authenticator did not verify', { isUserVerified: false }],
    ['a frame of another site', { crossOrigin: true }],
    ['another user than the one of the passkey', { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
    ['a counter that does not move, as a copied key has', { signCount: 1 }],
    ['an unknown passkey', { credentialId: 'dW5rbm93bg' }],
  ])('is refused for %s', async (_what, deviations) => {
    expect(await refusal(deviations)).toBe('invalid_credentials');
    const { reason } = await application()
      .services.audit.flush()
      .then(() =>
        application()
          .services.database.selectFrom('audit_events')
          .select('reason')
          .where('event', '=', 'passkey.check')
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow(),
      );
    expect(reason).toMatch(/origin|RP ID|user|challenge|passkey/i);
  });

  test('is refused for the signature of another key', async () => {
    const { passkey } = await enrol();
    const { options, send } = await begin();
    const stored = passkey.get(options)['response'] as { userHandle: string };
    const other = createSoftwarePasskey(honest);
    const forged = other.get(options, {
      credentialId: passkey.id,
      userHandle: stored.userHandle,
      signCount: 99,
    });
    expect(codeOf(await send(forged))).toBe('invalid_credentials');
  });

  test('is refused for a challenge of another sign-in, of another browser, or of an enrolment', async () => {
    const { passkey, browser, returnUrl } = await enrol();
    const one = await begin();
    const other = await begin();
    expect(codeOf(await other.send(passkey.get(one.options)))).toBe('invalid_credentials');
    const second = await begin({}, one.browser);
    expect(codeOf(await second.send(passkey.get(one.options)))).toBe('invalid_credentials');
    const enrolling = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    expect(codeOf(await other.send(passkey.get(enrolling)))).toBe('invalid_credentials');
  });

  test('is refused for a challenge that is used or older than five minutes; a new challenge works', async () => {
    const { passkey } = await enrol();
    const { options, send } = await begin();
    const credential = passkey.get(options);
    expect(codeOf(await send(credential))).toBe('redirect');
    expect(codeOf(await send(credential))).toBe('mfa_token_expired');
    const late = await begin();
    application().clock.advanceSeconds(301);
    expect(codeOf(await late.send(passkey.get(late.options)))).toBe('mfa_token_expired');
    const renewed = optionsOf(await call(late.browser, 'sign-in-options', { returnUrl: late.returnUrl }));
    expect(codeOf(await late.send(passkey.get(renewed)))).toBe('redirect');
  });

  test('S36: one of 50 parallel uses of a challenge succeeds', async () => {
    const { passkey } = await enrol();
    const { options, send } = await begin();
    const credentials = Array.from({ length: 50 }, () => passkey.get(options));
    const answers = await Promise.all(credentials.map((credential) => send(credential)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('cannot confirm the session of another user', async () => {
    const { passkey } = await enrol();
    const browser = application().openBrowser();
    const first = await beginSignIn(browser, portal);
    const secretary = { site: 'harbor', userName: 'secretary@demo.example', password: demoPassword };
    await followToApplication(
      browser,
      await browser.post('/api/ui/authenticate', { returnUrl: first.returnUrl, ...secretary }),
    );
    const { send, options } = await begin({ prompt: 'elevate' }, browser);
    expect(codeOf(await send(passkey.get(options), { site: undefined }))).toBe('invalid_credentials');
  });

  test('is rate-limited like guesses at codes, without locking the user out', async () => {
    const { passkey } = await enrol();
    const seen: unknown[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { send, options } = await begin();
      seen.push(codeOf(await send(passkey.get(options, { origin: 'https://evil.test' }))));
    }
    expect(seen.at(-1)).toBe('rate_limit_reached');
    expect((await signInWithCode()).answer.json()['status']).toBe('redirect');
  });

  test('is refused for a disabled user', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    const setStatus = (status: 'active' | 'disabled') =>
      database.updateTable('people').set({ status }).where('user_name', '=', director.userName).execute();
    const { send, options } = await begin();
    await setStatus('disabled');
    expect(codeOf(await send(passkey.get(options)))).toBe('invalid_credentials');
    await setStatus('active');
  });
});

describe('the offer of a passkey', () => {
  const offer = (answer: Answer): boolean =>
    String(answer.json()['location']).includes('/ui/account/passkey');

  /** Requests the redirect target of a finished sign-in. */
  const askOnwards = (browser: Browser, returnUrl: string, headers: Record<string, string> = knowing) =>
    browser.visit(`/api/ui/auth/post-login-redirect?${new URLSearchParams({ returnUrl }).toString()}`, {
      ...headers,
      accept: 'application/json',
    });

  test('follows a password and a code once; after an enrolment the sign-in continues', async () => {
    const { browser, returnUrl, answer } = await enrol();
    expect(answer.json()).toEqual({ name: 'Passkey' });
    expect(await latest('mail')).toContain('A passkey was added to your account.');
    expect(offer(await askOnwards(browser, returnUrl))).toBe(false);
    expect(offer((await signInWithCode()).answer)).toBe(false);
  });

  test('is made only to a page that supports passkeys', async () => {
    const { browser, returnUrl, answer } = await signInWithCode();
    expect(offer(answer)).toBe(true);
    expect(offer(await askOnwards(browser, returnUrl))).toBe(true);
    expect(offer(await askOnwards(browser, returnUrl, {}))).toBe(false);
  });

  test('opens without the splash, because the user is in the middle of a visit', async () => {
    const { answer } = await signInWithCode();
    const { searchParams } = new URL(String(answer.json()['location']));
    expect(searchParams.get('skip_splash')).toBe('true');
  });

  test('is not made on a public computer', async () => {
    expect(offer((await signInWithCode({ publicComputerSignIn: true })).answer)).toBe(false);
  });

  test('is not made for 90 days after "Not now"', async () => {
    const { browser, returnUrl, answer } = await signInWithCode();
    expect(offer(answer)).toBe(true);
    expect((await call(browser, 'not-now', { returnUrl })).status).toBe(204);
    expect(offer((await signInWithCode()).answer)).toBe(false);
    application().clock.advanceSeconds(89 * 24 * 60 * 60);
    expect(offer((await signInWithCode()).answer)).toBe(false);
    application().clock.advanceSeconds(2 * 24 * 60 * 60);
    expect(offer((await signInWithCode()).answer)).toBe(true);
  });
});

describe('an enrolment', () => {
  test('S25: needs a password and a code of this sign-in, at most ten minutes old; a session alone is not enough', async () => {
    const { browser, answer, returnUrl } = await signInWithCode();
    await followToApplication(browser, {
      ...answer,
      json: () => ({ status: 'redirect', location: returnUrl }),
    });
    const stolen = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    const refused = await call(browser, 'enrolment-options', { returnUrl: stolen.returnUrl });
    expect(codeOf(refused)).toBe('unauthorized');

    const late = await signInWithCode();
    application().clock.advanceSeconds(601);
    expect(codeOf(await call(late.browser, 'enrolment-options', { returnUrl: late.returnUrl }))).toBe(
      'unauthorized',
    );
  });

  test.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['another RP ID', { rpId: 'evil.test' }],
    ['a user whom the authenticator did not verify', { isUserVerified: false }],
  ])('is refused for %s, and nothing is stored', async (_what, deviations) => {
    const { browser, returnUrl } = await signInWithCode();
    const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    const credential = createSoftwarePasskey(honest).create(options, deviations);
    expect(codeOf(await call(browser, 'enrolment', { returnUrl, credential }))).toBe('invalid_credentials');
    const stored = await application().services.database.selectFrom('passkeys').selectAll().execute();
    expect(stored).toEqual([]);
  });

  test('S36: one of 50 parallel uses of a challenge succeeds', async () => {
    const { browser, returnUrl } = await signInWithCode();
    const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call(browser, 'enrolment', { returnUrl, credential: createSoftwarePasskey(honest).create(options) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('does not take over a passkey of another user', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    await database
      .updateTable('passkeys')
      .set({ person_id: await otherPersonId() })
      .execute();
    const { browser, returnUrl } = await signInWithCode();
    const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    const answer = await call(browser, 'enrolment', { returnUrl, credential: passkey.create(options) });
    expect(codeOf(answer)).toBe('invalid_credentials');
    const { person_id: owner } = await database
      .selectFrom('passkeys')
      .select('person_id')
      .executeTakeFirstOrThrow();
    expect(owner).toBe(await otherPersonId());
  });

  const otherPersonId = async (): Promise<string> => {
    const { id } = await application()
      .services.database.selectFrom('people')
      .select('id')
      .where('user_name', '=', 'secretary@demo.example')
      .executeTakeFirstOrThrow();
    return id;
  };
});

test('the service lists the extension', async () => {
  const browser = application().openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal);
  const context = await browser.call('/api/ui/auth-context', { returnUrl });
  expect(context.json()['extensions']).toEqual(['totp', 'passkeys']);
});

describe('a service without an RP ID', () => {
  const without = useApplication();

  test('does not list the extension and refuses its calls', async () => {
    const browser = without().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const context = await browser.call('/api/ui/auth-context', { returnUrl });
    expect(context.json()['extensions']).toEqual(['totp']);
    expect((await call(browser, 'sign-in-options', { returnUrl })).status).toBe(404);
  });
});
