import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer } from '../../testing/browser.ts';
import { followToApplication, obtainTokens, readIdToken } from '../../testing/journeys.ts';
import {
  call,
  codeOf,
  director,
  honest,
  knowing,
  optionsOf,
  usePasskeyVisits,
} from '../../testing/passkey-visits.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import type { SoftwarePasskey } from '../../testing/software-passkey.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication({ settings: { PASSKEY_RP_ID: 'localhost' } });
const { signInWithCode, enrol } = usePasskeyVisits(application);

async function begin(changes: Record<string, string> = {}, browser = application().openBrowser()) {
  const started = await beginSignIn(browser, portal, changes);
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
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await send(passkey.get(options))),
    );
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
      const tokens = await obtainTokens(
        application(),
        visit.browser,
        visit.started,
        await visit.send(passkey.get(visit.options, { isSynchronised: true })),
      );
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
        .updateTable('users')
        .set({ phone_number })
        .where('user_name', '=', director.userName)
        .execute();
    const { phone_number: phoneNumber } = await database
      .selectFrom('users')
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

  test('must change a password if that is required, before the sign-in continues [P05]', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    const { user_id: userId } = await database
      .selectFrom('passkeys')
      .select('user_id')
      .executeTakeFirstOrThrow();
    const ofDirector = database.updateTable('credentials').where('user_id', '=', userId);
    const { password_hash } = await database
      .selectFrom('credentials')
      .select('password_hash')
      .where('user_id', '=', userId)
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
  ])('is refused for %s [P02]', async (_what, deviations) => {
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

  test('is refused for the signature of another key [P02]', async () => {
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

  test('is refused for a challenge of another sign-in, of another browser, or of an enrolment [P01]', async () => {
    const { passkey, browser, returnUrl } = await enrol();
    const one = await begin();
    const other = await begin();
    expect(codeOf(await other.send(passkey.get(one.options)))).toBe('invalid_credentials');
    const second = await begin({}, one.browser);
    expect(codeOf(await second.send(passkey.get(one.options)))).toBe('invalid_credentials');
    const enrolling = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    expect(codeOf(await other.send(passkey.get(enrolling)))).toBe('invalid_credentials');
  });

  test('is refused for a challenge that is used or older than five minutes; a new challenge works [P01]', async () => {
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

  test('cannot confirm the session of another user [P02]', async () => {
    const { passkey } = await enrol();
    const browser = application().openBrowser();
    const first = await beginSignIn(browser, portal);
    const secretary = { site: 'harbor', userName: 'secretary@demo.example', password: director.password };
    await followToApplication(
      browser,
      await browser.post('/api/ui/authenticate', { returnUrl: first.returnUrl, ...secretary }),
    );
    const { send, options } = await begin({ prompt: 'elevate' }, browser);
    expect(codeOf(await send(passkey.get(options), { site: undefined }))).toBe('invalid_credentials');
  });

  test('is rate-limited like guesses at codes, without locking the user out [P04]', async () => {
    const { passkey } = await enrol();
    const seen: unknown[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { send, options } = await begin();
      seen.push(codeOf(await send(passkey.get(options, { origin: 'https://evil.test' }))));
    }
    expect(seen.at(-1)).toBe('rate_limit_reached');
    expect((await signInWithCode()).answer.json()['status']).toBe('redirect');
  });

  test('is refused for a disabled user [P02]', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    const setStatus = (status: 'active' | 'disabled') =>
      database.updateTable('users').set({ status }).where('user_name', '=', director.userName).execute();
    const { send, options } = await begin();
    await setStatus('disabled');
    expect(codeOf(await send(passkey.get(options)))).toBe('invalid_credentials');
    await setStatus('active');
  });
});

test('the service lists the extensions', async () => {
  const browser = application().openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal);
  const context = await browser.call('/api/ui/auth-context', { returnUrl });
  expect(context.json()['extensions']).toEqual(['totp', 'passkeys', 'passkey-offer', 'factors']);
});

describe('a service without an RP ID', () => {
  const without = useApplication();

  test('does not list the extensions and refuses their calls', async () => {
    const browser = without().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const context = await browser.call('/api/ui/auth-context', { returnUrl });
    expect(context.json()['extensions']).toEqual(['totp', 'factors']);
    expect((await call(browser, 'sign-in-options', { returnUrl })).status).toBe(404);
  });
});
