import { beforeEach, describe, expect, test, vi } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { parseReturnUrl } from '../provider/return-url.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { followToApplication, secretary, sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';
import { ContractError } from '../http/errors.ts';
import { createPasswords } from '../passwords/passwords.ts';

const application = useApplication();

const refusals: [string, { site?: string; userName?: string; password: string }][] = [
  ['a wrong password', { ...secretary, password: 'not this one' }],
  ['an unknown user', { ...secretary, userName: 'nobody@demo.example' }],
  ['a user without a password', { ...secretary, userName: 'employee@corp.example' }],
  ['a site of others', { ...secretary, site: 'summit' }],
  ['a site that nobody has', { ...secretary, site: 'atlantis' }],
  ['a site without passwords', { ...secretary, site: 'corp' }],
  ['a disabled user', { ...secretary, userName: 'disabled@demo.example' }],
];

async function addDisabledUser(): Promise<void> {
  const { database } = application().services;
  const known = await database
    .selectFrom('sign_in_names')
    .innerJoin('credentials', 'credentials.user_id', 'sign_in_names.user_id')
    .select(['credentials.password_hash', 'credentials.user_id'])
    .where('name_key', '=', secretary.userName)
    .executeTakeFirstOrThrow();
  const now = application().clock.now();
  await database
    .insertInto('users')
    .values({
      id: 'disabled',
      user_name: 'disabled@demo.example',
      first_name: 'Dis',
      last_name: 'Abled',
      status: 'disabled',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database
    .insertInto('sign_in_names')
    .values({ name_key: 'disabled@demo.example', user_id: 'disabled' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database
    .insertInto('credentials')
    .values({ user_id: 'disabled', password_hash: known.password_hash, changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Resets the failure counts, because the tests share a few users. */
async function forgetFailures(): Promise<void> {
  await application().services.database.deleteFrom('limits').execute();
}

beforeEach(forgetFailures);

/** Everything that a client can observe of a response. */
const visible = ({ status, text, headers, cookies }: Answer) => ({
  status,
  text,
  cookies: cookies.map((line) => line.replace(/=[^;]*/, '=')),
  headers: Object.keys(headers)
    .filter((name) => name !== 'date')
    .toSorted(),
});

describe('a refused password', () => {
  test('gets the same response for every reason [I35, S26]', async () => {
    await addDisabledUser();
    const seen = [];
    for (const [name, credentials] of refusals) {
      const browser = application().openBrowser();
      const answer = await sendPassword(browser, await beginSignIn(browser, portal), credentials);
      expect(answer.status, name).toBe(401);
      expect(answer.json(), name).toEqual({ code: 'invalid_credentials' });
      seen.push(visible(answer));
    }
    for (const answer of seen) expect(answer).toEqual(seen[0]);
  });

  test('costs the same work for every reason: one hash [S27]', async () => {
    await addDisabledUser();
    const verify = vi.spyOn(application().services.passwords, 'verify');
    for (const [name, credentials] of refusals) {
      verify.mockClear();
      await forgetFailures();
      const browser = application().openBrowser();
      await sendPassword(browser, await beginSignIn(browser, portal), credentials);
      expect(verify.mock.calls, name).toHaveLength(1);
    }
    verify.mockRestore();
  });

  test('is logged with its reason and without any input [S64]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    application().log.length = 0;
    await sendPassword(browser, started, { ...secretary, password: 'my secret words' });
    await sendPassword(browser, started, { ...secretary, userName: 'my-password-by-mistake' });
    const lines = application().log.filter(({ event }) => event === 'password.check');
    expect(lines).toMatchObject([
      { result: 'failure', reason: 'wrong password', site: 'harbor', userId: expect.any(String) as string },
      { result: 'failure', reason: 'unknown user', site: 'harbor' },
    ]);
    for (const line of lines) expect(line['correlationId']).toEqual(expect.any(String));
    expect(JSON.stringify(application().log)).not.toMatch(/my secret words|my-password-by-mistake/);
  });

  test('rate-limits unknown users like known users, in any spelling of the name [S26, S33]', async () => {
    const answersOf = async (spellings: string[]) => {
      const statuses = [];
      for (let index = 0; index < 12; index += 1) {
        const browser = application().openBrowser();
        const started = await beginSignIn(browser, portal);
        const userName = spellings[index % spellings.length]!;
        const answer = await sendPassword(browser, started, {
          ...secretary,
          userName,
          password: `wrong ${index}`,
        });
        statuses.push([answer.status, answer.json()['code']]);
      }
      return statuses;
    };
    const known = await answersOf([
      'newcomer@demo.example',
      ' NEWCOMER@demo.example',
      'Newcomer@Demo.Example ',
    ]);
    const unknown = await answersOf(['ghost@demo.example', ' GHOST@demo.example', 'Ghost@Demo.Example ']);
    expect(known.at(-1)).toEqual([429, 'rate_limit_reached']);
    expect(unknown).toEqual(known);
  });

  test('a password that a full queue did not check is no failed attempt', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const verify = vi
      .spyOn(application().services.passwords, 'verify')
      .mockRejectedValue(new ContractError('overloaded', { retryAfterSeconds: 1 }));
    for (let index = 0; index < 12; index += 1)
      expect((await sendPassword(browser, started, secretary)).status).toBe(503);
    verify.mockRestore();
    expect((await sendPassword(browser, started, secretary)).status).toBe(200);
  });

  test('refuses the correct password too until the wait is over, then accepts it [S30]', async () => {
    const attempt = async (password: string) => {
      const browser = application().openBrowser();
      return await sendPassword(browser, await beginSignIn(browser, portal), { ...secretary, password });
    };
    let refused: Answer | undefined;
    for (let index = 0; index < 12 && refused?.status !== 429; index += 1)
      refused = await attempt(`wrong ${index}`);
    expect(refused?.status).toBe(429);
    const right = await attempt(demoPassword);
    expect(right.status).toBe(429);
    expect(right.text).toBe(refused?.text);
    const seconds = Number(right.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    application().clock.advanceSeconds(seconds);
    expect((await attempt(demoPassword)).json()).toMatchObject({ status: 'redirect' });
  });
});

describe('an attacker who fails on purpose [S34]', () => {
  test('does not lock out a user in a browser with which that user has signed in before', async () => {
    const own = application().openBrowser();
    await signIn(own);
    const attempt = async (browser: Browser, password: string) => {
      browser.cookies.delete('anteroom_session');
      return await sendPassword(browser, await beginSignIn(browser, portal), { ...secretary, password });
    };
    const stranger = application().openBrowser();
    for (let index = 0; index < 8; index += 1) await attempt(stranger, `wrong ${index}`);
    expect((await attempt(stranger, demoPassword)).status).toBe(429);
    expect((await attempt(own, demoPassword)).status).toBe(200);
    // A known browser still needs the password, and it is known for one user only.
    expect((await attempt(own, 'wrong')).status).toBe(401);
    const copied = application().openBrowser();
    copied.cookies.set('anteroom_known', { value: 'x.y', path: '/' });
    expect((await attempt(copied, demoPassword)).status).toBe(429);
  });
});

describe('a correct password', () => {
  test('replaces the session id, and the old id is invalid [S22]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const before = new Map(browser.cookies);
    const answer = await sendPassword(browser, started);
    const names = ['anteroom_session', 'XSRF-TOKEN'];
    for (const name of names)
      expect(browser.cookies.get(name)?.value, name).not.toBe(before.get(name)?.value);
    await followToApplication(browser, answer);

    const planted = application().openBrowser();
    for (const [name, cookie] of before) planted.cookies.set(name, cookie);
    expect((await planted.call('/api/ui/sites')).status).toBe(401);
    expect((await browser.call('/api/ui/sites')).status).toBe(200);
  });

  test('is not checked without the anti-forgery value of the same session [S12]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const verify = vi.spyOn(application().services.passwords, 'verify');
    const body = { returnUrl: started.returnUrl, ...secretary };
    const forgeries: Record<string, string>[] = [
      { 'x-xsrf-token': '' },
      { 'x-xsrf-token': 'x.y' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.test' },
    ];
    for (const headers of forgeries) {
      expect((await browser.post('/api/ui/authenticate', body, headers)).status).toBe(403);
    }
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  test('is hashed again if the hashing parameters have changed', async () => {
    const { services, clock } = application();
    const stronger = await createPasswords(
      { ...services.config.passwords, memoryKib: 16 },
      { metrics: services.metrics, storedKinds: () => Promise.resolve(new Set()) },
    );
    const { database } = services;
    const hashOf = async () =>
      (
        await database
          .selectFrom('sign_in_names')
          .innerJoin('credentials', 'credentials.user_id', 'sign_in_names.user_id')
          .select('credentials.password_hash')
          .where('name_key', '=', secretary.userName)
          .executeTakeFirstOrThrow()
      ).password_hash;
    const original = await hashOf();
    const foreign = await stronger.hash(demoPassword);
    await database
      .updateTable('credentials')
      .set({ password_hash: foreign, changed_at: clock.now() })
      .where('password_hash', '=', original)
      .execute();
    await signIn(application().openBrowser());
    expect(await hashOf()).not.toBe(foreign);
    await signIn(application().openBrowser());
  });

  test('is accepted with a user name in other case and with surrounding spaces', async () => {
    const browser = application().openBrowser();
    const answer = await sendPassword(browser, await beginSignIn(browser, portal), {
      ...secretary,
      userName: ' Secretary@DEMO.example ',
      site: ' Harbor ',
    });
    expect(answer.json()).toMatchObject({ status: 'redirect' });
  });

  test('ten parallel requests begin exactly one working session [F14]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendPassword(browser, started)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // Attempts above the limit get 429, because each attempt is counted before its check. The others find the sign-in
    // finished: during their check, or, if they begin later, at once.
    expect(answers.every(({ status }) => [200, 401, 404, 429, 503].includes(status))).toBe(true);
    await expectSignedIn(browser);
    const uid = parseReturnUrl(started.returnUrl, publicUrl)?.uid ?? '';
    const sessions = await application()
      .services.database.selectFrom('sessions')
      .innerJoin('sign_ins', 'sign_ins.browser_id', 'sessions.browser_id')
      .select('id_hash')
      .where('sign_ins.uid', '=', uid)
      .where('ended_at', 'is', null)
      .execute();
    expect(sessions).toHaveLength(1);
  });

  async function expectSignedIn(browser: Browser): Promise<void> {
    expect((await browser.call('/api/ui/sites')).status).toBe(200);
  }
});

describe('rejects an invalid password call [S60]', () => {
  test.each([
    ['an object for the password', { password: { $ne: 1 } }],
    ['a member nobody knows', { password: 'x', isAdmin: true }],
    ['a user name that is too long', { password: 'x', userName: 'a'.repeat(101) }],
    ['nothing', {}],
    ['a NUL', { password: 'x', userName: 'a\0b' }],
  ])('%s', async (_name, body) => {
    const browser = application().openBrowser();
    await beginSignIn(browser, portal);
    expect((await browser.post('/api/ui/authenticate', body)).json()).toMatchObject({
      code: 'validation_failed',
    });
  });
});
