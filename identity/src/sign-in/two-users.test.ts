import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { followToApplication, sendPassword } from '../../testing/journeys.ts';
import { obtainToken, useToken } from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { addAccount, latestCodeOf, passwordOf, withoutLimits } from '../../testing/two-users/accounts.ts';
import type { Account } from '../../testing/two-users/accounts.ts';
import { holdHashes } from '../../testing/two-users/held-hashes.ts';
import type { HeldHashes } from '../../testing/two-users/held-hashes.ts';
import { parseReturnUrl } from '../provider/return-url.ts';

// Attacks and faults, S23 and S25, with two users: a proof of one user does not count for another, and a proof from
// before an account change does not count after it. The attacker has an account and knows the victim's password.

describeStore('two users in one browser', (store) => {
  let application: TestApplication;
  let hashes: HeldHashes;
  let attacker: Account;
  let victim: Account;

  beforeAll(async () => {
    application = await startApplication(store().database, { settings: withoutLimits });
    hashes = holdHashes([application]);
    attacker = await addAccount(application);
    victim = await addAccount(application);
    return () => application.close();
  });
  afterEach(() => hashes.letGo());

  const authenticate = (
    browser: Browser,
    { returnUrl }: { returnUrl: string },
    who: Account,
    site = 'harbor',
  ) => sendPassword(browser, { returnUrl }, { ...passwordOf(who), site });
  const verify = async (browser: Browser, { returnUrl }: { returnUrl: string }, whose: Account) =>
    browser.post('/api/ui/verify-mfa-code', { returnUrl, code: await latestCodeOf(application, whose) });
  const select = (browser: Browser, { returnUrl }: { returnUrl: string }, site: string) =>
    browser.post('/api/ui/auth/select-site', { returnUrl, site });
  const whoIsSignedIn = async (browser: Browser) =>
    (await browser.call('/api/ui/sites')).json()['userFirstName'];

  describe('a second factor [S25]', () => {
    test('of one user does not count for the next user in the same browser [S25]', async () => {
      const browser = application.openBrowser();
      const started = await beginSignIn(browser, portal, { prompt: 'switch_tenant' });
      await authenticate(browser, started, attacker);
      await verify(browser, started, attacker);
      const asked = await authenticate(browser, started, victim, 'summit');
      expect(asked.json()).toMatchObject({ status: 'second_factor_required' });
      // The attacker is signed in, and has proved nothing since the victim's password was entered.
      const chosen = await select(browser, started, 'summit');
      expect(chosen.json()).toEqual({ status: 'credentials_required' });
      expect(await whoIsSignedIn(browser)).toBe(attacker.id);
      const noted = await store()
        .database.selectFrom('audit_events')
        .select(['event', 'details'])
        .where('user_id', '=', victim.id)
        .where('event', '=', 'session.begin')
        .execute();
      expect(noted).toEqual([]);
    });

    test.each(['before', 'after'])(
      'does not count for another user whose password check completes %s it',
      async (order) => {
        const browser = application.openBrowser();
        const started = await beginSignIn(browser, portal);
        await authenticate(browser, started, attacker);
        hashes.hold();
        const asVictim = authenticate(browser, started, victim, 'summit');
        await hashes.untilHeld([asVictim]);
        if (order === 'before') hashes.letGo();
        const answers = await Promise.all([
          verify(browser, started, attacker),
          order === 'before' && asVictim,
        ]);
        hashes.letGo();
        const answer = await asVictim;
        if (answer.status === 200) expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
        expect(answers[0]?.status).toBeDefined();
        expect([undefined, attacker.id]).toContain(await whoIsSignedIn(browser));
      },
    );

    test('is requested for the victim in a sign-in that the attacker has completed', async () => {
      const browser = application.openBrowser();
      const started = await beginSignIn(browser, portal, { prompt: 'login' });
      await authenticate(browser, started, attacker);
      await verify(browser, started, attacker);
      const again = await beginSignIn(browser, portal, { prompt: 'switch_tenant' });
      expect((await authenticate(browser, again, victim)).json()).toMatchObject({
        status: 'second_factor_required',
      });
      expect(await whoIsSignedIn(browser)).toBe(attacker.id);
    });
  });

  test('the password of another user does not satisfy reauthentication of a session [S25]', async () => {
    const browser = application.openBrowser();
    const first = await beginSignIn(browser, portal);
    await authenticate(browser, first, victim);
    await followToApplication(browser, await verify(browser, first, victim));
    application.clock.advanceSeconds(120);
    const started = await beginSignIn(browser, portal, { prompt: 'switch_tenant elevate' });
    await authenticate(browser, started, attacker);
    const chosen = await select(browser, started, 'harbor');
    expect(chosen.json()).toEqual({ status: 'credentials_required' });
    expect(await whoIsSignedIn(browser)).toBe(victim.id);
  });

  describe('a password that was correct when its check began [S23]', () => {
    const run = (words: string, input?: string) =>
      createCommandLine(store(), application.clock).run(words, input);
    const changes: Record<string, (account: Account) => Promise<unknown>> = {
      'a recovery': async (account) => {
        const token = await obtainToken(application, account.userName);
        expect((await useToken(application, token, 'lantern velvet oxbow 31')).status).toBe(204);
      },
      'a reset by an operator': async ({ userName }) =>
        expect(
          await run(`users set-password ${userName} --password-stdin`, 'lantern velvet oxbow 31'),
        ).toMatchObject({ code: 0 }),
      'being disabled': async ({ userName }) =>
        expect(await run(`users disable ${userName}`)).toMatchObject({ code: 0 }),
      'another phone number': async ({ userName }) =>
        expect(await run(`users add ${userName} --phone-number +442079461111 --update`)).toMatchObject({
          code: 0,
        }),
    };

    test.each(Object.keys(changes))('is refused after %s', async (name) => {
      const account = await addAccount(application, { hasPhone: false });
      const browsers = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const browser = application.openBrowser();
          return { browser, started: await beginSignIn(browser, portal) };
        }),
      );
      // Pauses the hashes of the five sign-ins, but not that of the change.
      hashes.hold(5);
      const inFlight = browsers.map(({ browser, started }) => authenticate(browser, started, account));
      await hashes.untilHeld(inFlight);
      expect(hashes.count()).toBe(5);
      await changes[name]?.(account);
      hashes.letGo();
      for (const answer of await Promise.all(inFlight))
        expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_credentials']);
      for (const { browser } of browsers) expect(await whoIsSignedIn(browser)).toBeUndefined();
      const live = await store()
        .database.selectFrom('sessions')
        .select('id_hash')
        .where('user_id', '=', account.id)
        .where('ended_at', 'is', null)
        .execute();
      expect(live).toEqual([]);
    });

    const proofsOf = ({ returnUrl }: { returnUrl: string }) =>
      store()
        .database.selectFrom('sign_ins')
        .select(['user_id', 'proofs'])
        .where('uid', '=', parseReturnUrl(returnUrl, publicUrl)?.uid ?? '')
        .executeTakeFirstOrThrow();

    test.each(['the same user', 'another user'])(
      'is refused if %s has signed in in another tab since',
      async (who) => {
        const account = await addAccount(application, { hasPhone: false });
        const other = who === 'the same user' ? account : await addAccount(application, { hasPhone: false });
        const browser = application.openBrowser();
        const started = await beginSignIn(browser, portal);
        const elsewhere = await beginSignIn(browser, portal);
        hashes.hold(1);
        const inFlight = authenticate(browser, started, account);
        await hashes.untilHeld([inFlight]);
        expect((await authenticate(browser, elsewhere, other)).status).toBe(200);
        hashes.letGo();
        const answer = await inFlight;
        expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_credentials']);
        expect(await whoIsSignedIn(browser)).toBe(other.id);
        expect(await proofsOf(started)).toEqual({ user_id: null, proofs: {} });
      },
    );

    test('begins no session in a sign-in that another user has taken over since', async () => {
      const account = await addAccount(application, { hasPhone: false });
      const browser = application.openBrowser();
      const started = await beginSignIn(browser, portal);
      hashes.hold(1);
      const inFlight = authenticate(browser, started, account);
      await hashes.untilHeld([inFlight]);
      expect((await authenticate(browser, started, victim)).json()).toMatchObject({
        status: 'second_factor_required',
      });
      hashes.letGo();
      const answer = await inFlight;
      expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_credentials']);
      expect(await whoIsSignedIn(browser)).toBeUndefined();
      expect(await proofsOf(started)).toMatchObject({ user_id: victim.id });
    });
  });
});
