import { beforeAll, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { askUserInfo, redeem, secretary, signIn } from '../../testing/journeys.ts';
import type { Browser } from '../../testing/browser.ts';

describeStore('anteroom sessions', (store) => {
  let application: TestApplication;
  beforeAll(async () => {
    application = await startApplication(store().database);
    return () => application.close();
  });

  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store(), application.clock).run(...given);
  const isSignedIn = async (browser: Browser) => (await browser.call('/api/ui/sites')).status === 200;

  async function signedIn(): Promise<{ browser: Browser; accessToken: unknown; idHash: string }> {
    const browser = application.openBrowser();
    const tokens = await redeem(application, await signIn(browser));
    const [latest] = (await run('sessions list --user secretary@demo.example --json')).json();
    application.clock.advanceSeconds(2);
    return { browser, accessToken: tokens.json()['access_token'], idHash: String(latest?.['session']) };
  }

  test('lists the sessions of a user without their tokens, and ends them singly or all at once', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const listed = (await run('sessions list --user secretary@demo.example --json')).json();
    expect(listed).toHaveLength(2);
    expect(listed[0]).toMatchObject({ userName: secretary.userName, site: 'harbor', methods: 'pwd' });
    const cookies = [one, other].flatMap(({ browser }) =>
      [...browser.cookies.values()].map(({ value }) => value),
    );
    for (const value of cookies) expect(JSON.stringify(listed)).not.toContain(value);

    expect(await run(`sessions end -- ${one.idHash.slice(0, 12)}`)).toMatchObject({
      code: 0,
      output: '1 session ended\n',
    });
    expect(await isSignedIn(one.browser)).toBe(false);
    expect((await askUserInfo(application, one.accessToken)).status).toBe(401);
    expect(await isSignedIn(other.browser)).toBe(true);
    expect((await askUserInfo(application, other.accessToken)).status).toBe(200);

    expect(await run('sessions end --user secretary@demo.example')).toMatchObject({
      output: '1 session ended\n',
    });
    expect(await isSignedIn(other.browser)).toBe(false);
    expect((await run('audit list --event session.end --json')).json()).toHaveLength(2);
  });

  test('of a site end, with their access tokens, as soon as the site is disabled [S23]', async () => {
    const { browser, accessToken } = await signedIn();
    expect(await run('sessions end --site harbor --dry-run')).toMatchObject({
      output: '1 session would be ended (dry run: nothing was written)\n',
    });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await run('sites disable harbor')).toMatchObject({ code: 0 });
    expect(await isSignedIn(browser)).toBe(false);
    expect((await askUserInfo(application, accessToken)).status).toBe(401);
    expect((await run('sessions list --site harbor --json')).json()).toEqual([]);
    await run('sites enable harbor');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test.each(['sessions end', 'sessions end x --user y', 'sessions end --user a --site b'])(
    '%s is invalid usage: exactly one selection is required',
    async (words) => {
      expect(await run(words)).toMatchObject({ code: 2 });
    },
  );

  test.each([
    'sessions end %%%%%%',
    'sessions end nosuchsession',
    'sessions end --user nobody',
    'sessions end --site nowhere',
  ])('%s is refused: there is no such session, user or site', async (words) => {
    expect(await run(words)).toMatchObject({ code: 1 });
  });
});
