import { beforeEach, describe, expect, test } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal, publicUrl } from '../application.ts';
import { serverIsThere } from '../describe-store.ts';
import { askUserInfo, redeem, secretary, sendPassword, signIn } from '../journeys.ts';
import { askForTokens, beginSignIn } from '../relying-party.ts';
import { useNodes } from './use-nodes.ts';

// Single-use values and counters, with concurrent requests to two processes.

describe.runIf(serverIsThere())('concurrent requests to two nodes', () => {
  const nodes = useNodes(2);

  beforeEach(async () => {
    for (const table of ['limits', 'outbox', 'code_messages'] as const)
      await nodes().database.deleteFrom(table).execute();
  });

  /** Counts the evaluated wrong passwords in the logs of the nodes. */
  const evaluated = () =>
    nodes().each.reduce(
      (sum, { child }) => sum + child.output().split('"reason":"wrong password"').length - 1,
      0,
    );

  test('S31: no more of 100 concurrent wrong passwords are evaluated than of sequential wrong passwords', async () => {
    const started = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const browser = nodes().openBrowser();
        return { browser, ...(await beginSignIn(browser, portal)) };
      }),
    );
    const before = evaluated();
    const answers = await Promise.all(
      started.map((one, index) =>
        sendPassword(one.browser, one, { ...secretary, password: `wrong guess ${index}` }),
      ),
    );
    // Five failures are free (LIMIT_ACCOUNT_FREE_FAILURES), and the sixth starts the delay.
    const tried = answers.filter(({ status }) => status === 401 || status === 400);
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.length).toBeLessThanOrEqual(6);
    await expect.poll(() => evaluated() - before).toBe(tried.length);
    for (const { status } of answers.filter((answer) => !tried.includes(answer)))
      expect([429, 503]).toContain(status);
    expect([...nodes().balancer.given.values()].every((count) => count > 20)).toBe(true);
  });

  test('S36: one of 50 concurrent correct codes is accepted', async () => {
    const browser = nodes().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    await sendPassword(
      browser,
      { returnUrl },
      {
        site: 'northwind',
        userName: 'director@demo.example',
        password: demoPassword,
      },
    );
    const { text } = await nodes().database.selectFrom('outbox').select('text').executeTakeFirstOrThrow();
    const code = /#(\d{6})$/.exec(text)?.[1] ?? '';
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => browser.post('/api/ui/verify-mfa-code', { returnUrl, code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers.filter(({ status }) => status !== 200))
      expect([401, 404, 429, 503]).toContain(status);
  });

  test('S52: one of 50 concurrent redemptions succeeds, and its tokens are revoked', async () => {
    const started = await signIn(nodes().openBrowser());
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(nodes(), started)));
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    expect((await askUserInfo(nodes(), successes[0]?.json()['access_token'])).status).toBe(401);
  });

  test('S52: one of 50 concurrent uses of a refresh token succeeds, and the grant is revoked', async () => {
    const started = await signIn(nodes().openBrowser(), {
      scope: 'openid offline_access',
      prompt: 'consent',
    });
    const first = (await redeem(nodes(), started)).json();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        askForTokens(nodes().app, publicUrl, portal, {
          grant_type: 'refresh_token',
          refresh_token: String(first['refresh_token']),
        }),
      ),
    );
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    expect((await askUserInfo(nodes(), successes[0]?.json()['access_token'])).status).toBe(401);
  });

  test('F14: ten concurrent sign-ins of a browser result in one session that is valid on both nodes', async () => {
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser, portal);
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendPassword(browser, started)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const index of [0, 1])
      expect((await browser.at(nodes().at(index)).call('/api/ui/sites')).status).toBe(200);
  });
});
