import { afterAll, beforeAll, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { followToApplication, secretary, sendPassword } from '../../testing/journeys.ts';
import { authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { fingerprint } from './fingerprint.ts';
import { parseReturnUrl } from './return-url.ts';

const minute = 60;

describeStore('the lifetime of a sign-in [S67]', (store) => {
  let application: TestApplication;
  beforeAll(async () => {
    application = await startApplication(store().database);
  });
  afterAll(() => application.close());

  /** Opens a browser at the sign-in page, before the page's first call. */
  async function arrive(): Promise<{ browser: Browser; returnUrl: string }> {
    const browser = application.openBrowser();
    const { address } = await browser.follow(authorizeAddress(portal).address);
    return { browser, returnUrl: address.searchParams.get('ReturnUrl') ?? '' };
  }
  const callPage = async ({ browser, returnUrl }: { browser: Browser; returnUrl: string }) =>
    (await browser.call('/api/ui/auth-context', { returnUrl })).status;

  /** The seconds until our sign-in, the provider's interaction and the browser's session expire. */
  async function readEnds(returnUrl: string): Promise<number[]> {
    const uid = parseReturnUrl(returnUrl, application.services.config.publicUrl)?.uid ?? '';
    const signIn = await store()
      .database.selectFrom('sign_ins')
      .select(['browser_id', 'expires_at'])
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    const interaction = await store()
      .database.selectFrom('openid_records')
      .select('expires_at')
      .where('model', '=', 'Interaction')
      .where('id', '=', fingerprint(uid))
      .executeTakeFirstOrThrow();
    const session = await store()
      .database.selectFrom('sessions')
      .select('absolute_expires_at')
      .where('browser_id', '=', signIn.browser_id)
      .executeTakeFirstOrThrow();
    const ends = [signIn.expires_at, interaction.expires_at, session.absolute_expires_at];
    return ends.map((end) => ((end?.getTime() ?? 0) - application.clock.now().getTime()) / 1000);
  }

  test('is 15 minutes if its page never makes a call', async () => {
    const visit = await arrive();
    expect(await readEnds(visit.returnUrl)).toEqual([15 * minute, 15 * minute, 15 * minute]);
    application.clock.advanceSeconds(15 * minute);
    expect(await callPage(visit)).toBe(404);
  });

  test('is 30 minutes after each call of its page, also for the provider’s interaction and the browser’s session', async () => {
    const visit = await arrive();
    for (const pauseSeconds of [14 * minute, 29 * minute, 29 * minute]) {
      application.clock.advanceSeconds(pauseSeconds);
      expect(await callPage(visit)).toBe(200);
      expect(await readEnds(visit.returnUrl)).toEqual([30 * minute, 30 * minute, 30 * minute]);
    }
    application.clock.advanceSeconds(30 * minute);
    expect(await callPage(visit)).toBe(404);
  });

  test('allows a visitor 25 minutes for each step', async () => {
    const { browser, returnUrl } = await arrive();
    const steps = [
      () => browser.call('/api/ui/auth-context', { returnUrl }),
      () => browser.call('/api/ui/auth/settings/site', { returnUrl, site: 'harbor' }),
      () => browser.call('/api/ui/auth/settings/user', { returnUrl, usernameOrEmail: secretary.userName }),
      () => sendPassword(browser, { returnUrl }, { ...secretary, password: 'wrong' }),
    ];
    for (const step of steps) {
      expect((await step()).status).toBeLessThan(402);
      application.clock.advanceSeconds(25 * minute);
    }
    const response = await followToApplication(browser, await sendPassword(browser, { returnUrl }));
    expect(response.get('code')).not.toBeNull();
  });

  test('is not extended by another browser or after it is finished', async () => {
    const { browser, returnUrl } = await arrive();
    const otherBrowser = application.openBrowser();
    await beginSignIn(otherBrowser, portal);
    application.clock.advanceSeconds(10 * minute);
    expect(await callPage({ browser: otherBrowser, returnUrl })).toBe(404);
    expect((await readEnds(returnUrl)).slice(0, 2)).toEqual([5 * minute, 5 * minute]);

    const answer = await sendPassword(browser, { returnUrl });
    application.clock.advanceSeconds(10 * minute);
    await callPage({ browser, returnUrl });
    expect((await readEnds(returnUrl)).slice(0, 2)).toEqual([20 * minute, 20 * minute]);
    expect((await followToApplication(browser, answer)).get('code')).not.toBeNull();
  });
});
