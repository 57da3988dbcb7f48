import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { followToApplication } from '../../testing/journeys.ts';
import { call, codeOf, honest, knowing, optionsOf, usePasskeyVisits } from '../../testing/passkey-visits.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication({ settings: { PASSKEY_RP_ID: 'localhost' } });
const { latest, signInWithCode, enrol } = usePasskeyVisits(application);

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

  test('is made only to a page that names the extension `passkey-offer`', async () => {
    const { browser, returnUrl, answer } = await signInWithCode();
    expect(offer(answer)).toBe(true);
    expect(offer(await askOnwards(browser, returnUrl))).toBe(true);
    const withoutOffer = { 'x-anteroom-extensions': 'totp,passkeys' };
    expect(offer(await askOnwards(browser, returnUrl, withoutOffer))).toBe(false);
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
  test('needs a password and a code of this sign-in, at most ten minutes old; a session alone is not enough [P03, S25]', async () => {
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
  ])('is refused for %s, and nothing is stored [P03]', async (_what, deviations) => {
    const { browser, returnUrl } = await signInWithCode();
    const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    const credential = createSoftwarePasskey(honest).create(options, deviations);
    expect(codeOf(await call(browser, 'enrolment', { returnUrl, credential }))).toBe('invalid_credentials');
    const stored = await application().services.database.selectFrom('passkeys').selectAll().execute();
    expect(stored).toEqual([]);
  });

  test('does not take over a passkey of another user [P03]', async () => {
    const { passkey } = await enrol();
    const { database } = application().services;
    await database
      .updateTable('passkeys')
      .set({ user_id: await otherUserId() })
      .execute();
    const { browser, returnUrl } = await signInWithCode();
    const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    const answer = await call(browser, 'enrolment', { returnUrl, credential: passkey.create(options) });
    expect(codeOf(answer)).toBe('invalid_credentials');
    const { user_id: owner } = await database
      .selectFrom('passkeys')
      .select('user_id')
      .executeTakeFirstOrThrow();
    expect(owner).toBe(await otherUserId());
  });

  const otherUserId = async (): Promise<string> => {
    const { id } = await application()
      .services.database.selectFrom('users')
      .select('id')
      .where('user_name', '=', 'secretary@demo.example')
      .executeTakeFirstOrThrow();
    return id;
  };
});
