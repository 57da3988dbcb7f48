import { describe, expect, test } from 'vitest';
import { portal } from '../application.ts';
import { serverIsThere } from '../describe-store.ts';
import { askUserInfo, redeem, sendPassword, signIn } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { useNodes } from './use-nodes.ts';

// Attacks and faults, F07: nodes with wrong clocks. All lifetimes depend on the clock of the database.

const shifted = (
  shiftSeconds: number,
  jumpSeconds = 0,
): [Record<string, string>, { execArguments: string[] }] => [
  { SHIFT_SECONDS: String(shiftSeconds), JUMP_SECONDS: String(jumpSeconds), LOG_LEVEL: 'info' },
  { execArguments: ['--import', new URL('./shifted-date.ts', import.meta.url).href] },
];

describe.runIf(serverIsThere())('nodes whose clocks differ', () => {
  const nodes = useNodes(0);

  test('a minute behind and a minute ahead: a sign-in works although its requests alternate between the nodes [F07]', async () => {
    const [behind, ahead] = [await nodes().add(...shifted(-60)), await nodes().add(...shifted(60))];
    for (let round = 0; round < 2; round += 1) {
      // an extra request, so that the code is redeemed on the other node
      if (round === 1) await nodes().openBrowser().visit('/health/live');
      const browser = nodes().openBrowser();
      const tokens = await redeem(nodes(), await signIn(browser));
      expect(tokens.status, tokens.text).toBe(200);
      for (const index of [0, 1]) {
        expect((await browser.at(nodes().at(index)).call('/api/ui/sites')).status).toBe(200);
        expect((await askUserInfo({ app: nodes().at(index) }, tokens.json()['access_token'])).status).toBe(
          200,
        );
      }
    }
    for (const node of [behind, ahead]) {
      nodes().balancer.remove(node);
      await node.stop();
    }
  });

  test('an hour behind or ahead: lifetimes do not change, and the node with the wrong clock logs a warning [F07]', async () => {
    const late = await nodes().add(...shifted(-3600));
    const early = await nodes().add(...shifted(3600));
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser, portal);
    const answer = await sendPassword(browser, started);
    expect(answer.json()).toMatchObject({ status: 'redirect' });
    expect((await browser.call('/api/ui/sites')).status).toBe(200);
    const rows = await nodes().database.selectFrom('sessions').select(['created_at']).execute();
    const now = Date.now();
    for (const { created_at } of rows) expect(Math.abs(created_at.getTime() - now)).toBeLessThan(600_000);
    for (const node of [late, early]) {
      await node.child.saw(/the clocks of the machine and the database differ/);
      nodes().balancer.remove(node);
      await node.stop();
    }
  });

  test('a clock that jumps back an hour while a node runs extends no lifetime [F07]', async () => {
    const node = await nodes().add(...shifted(0, -3600));
    const expiredCode = await signIn(nodes().openBrowser());
    const expired = nodes().openBrowser();
    await signIn(expired);
    // the session has been idle for half an hour, and the code has expired
    await nodes()
      .database.updateTable('sessions')
      .set({ last_seen_at: new Date(Date.now() - 31 * 60_000) })
      .execute();
    await nodes()
      .database.updateTable('openid_records')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('model', '=', 'AuthorizationCode')
      .execute();
    node.child.process.kill('SIGUSR2');
    await node.child.saw(/the clock jumped/);
    expect((await expired.call('/api/ui/sites')).status).toBe(401);
    expect((await redeem(nodes(), expiredCode)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(nodes(), await signIn(nodes().openBrowser()))).status).toBe(200);
  });
});
