import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal } from '../application.ts';
import { serverIsThere } from '../describe-store.ts';
import { startFakeGateway } from '../fake-gateway.ts';
import type { FakeGateway } from '../fake-gateway.ts';
import { goBack, readIdToken, redeem, sendPassword } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { chaos, chaosTimeoutMs, tell } from './chaos.ts';
import { offerSignIns } from './load.ts';
import { addManyPeople } from './many-people.ts';
import type { NodeProcess } from './node-process.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';
import { until } from '../until.ts';

// Attacks and faults, F06 and F10: nodes die, come, and are restarted one after the other.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };

describe.runIf(serverIsThere())('nodes that come and go', () => {
  let nodes: Nodes;
  let gateway: FakeGateway;
  let people: Awaited<ReturnType<typeof addManyPeople>>;

  beforeAll(async () => {
    gateway = await startFakeGateway();
    nodes = await startNodes(2, {
      env: {
        SMS_SENDER: 'webhook',
        SMS_WEBHOOK_URL: gateway.url,
        // enough of a hash that some are under way whenever a node stops, and little enough that a busy machine keeps up
        ARGON2_MEMORY_KIB: '4096',
        // the balancer looks every 50 ms; at full counts it is as in production, on a machine that may be as busy
        DRAIN_SECONDS: chaos.isFull ? '3' : '1',
        LOG_LEVEL: 'debug',
      },
    });
    // nobody so often that they would have to wait
    people = await addManyPeople(nodes.database, chaos.isFull ? 3000 : 200);
  });
  beforeEach(async () => {
    for (const table of ['limits', 'code_messages'] as const)
      await nodes.database.deleteFrom(table).execute();
  });
  afterAll(async () => {
    await nodes.close();
    await gateway.close();
  });

  async function replace(node: NodeProcess): Promise<NodeProcess> {
    nodes.balancer.remove(node);
    nodes.each.splice(nodes.each.indexOf(node), 1);
    return nodes.add();
  }
  const readCode = () => /#(\d{6})/.exec(gateway.requests.at(-1)?.body ?? '')?.[1] ?? '';

  test('F06: a node that is killed between the password and the code takes nothing with it, and a new one goes on', async () => {
    const browser = nodes.openBrowser();
    const started = await beginSignIn(browser.at(nodes.at(0)), portal);
    await sendPassword(browser.at(nodes.at(0)), started, director);
    const [dying] = nodes.each;
    await dying!.kill();
    const added = await replace(dying!);
    const { returnUrl } = started;
    const answer = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code: readCode() });
    const told = await goBack(browser, answer);
    const tokens = await redeem(nodes, { ...started, code: told.get('code') ?? '' });
    expect(readIdToken(tokens)).toMatchObject({ amr: ['pwd', 'sms'] });
    await expect
      .poll(async () => {
        await nodes.openBrowser().visit('/health/live');
        return nodes.balancer.given.get(added.port) ?? 0;
      })
      .toBeGreaterThan(0);
  });

  test('F10: SIGTERM with sign-ins, hashes and a slow message under way: all are answered, and the node leaves with 0', async () => {
    const [leaving] = nodes.each;
    const at = nodes.at(0);
    const open = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const browser = nodes.openBrowser().at(at);
        return { browser, ...(await beginSignIn(browser, portal)) };
      }),
    );
    const slow = nodes.openBrowser().at(at);
    const slowStarted = await beginSignIn(slow, portal);
    const sent = gateway.requests.length;
    gateway.behave('hang');
    const message = sendPassword(slow, slowStarted, director);
    await until(() => gateway.requests.length > sent);
    const signingIn = open.map((one, index) => sendPassword(one.browser, one, people[index]));
    const asking = Array.from({ length: 80 }, (_, index) =>
      open[index % 40]!.browser.call('/api/ui/sites/harbor'),
    );
    await Promise.race(signingIn);
    const ended = leaving!.stop();
    const answers = await Promise.all([...signingIn, ...asking]);
    for (const { status, text } of answers) expect(status, text).toBe(200);
    expect((await message).status).toBe(200);
    expect(await ended).toBe(0);
    gateway.behave({ status: 202 });
    await replace(leaving!);
  });

  test('F10: two nodes are restarted one after the other under load, and no visitor notices', async () => {
    const { load, stop } = offerSignIns(nodes, people, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    const untilMs = performance.now() + chaos.rollingSeconds * 1000;
    let restarts = 0;
    do {
      for (const node of nodes.each.slice()) {
        expect(await node.stop()).toBe(0);
        await replace(node);
        restarts += 1;
      }
    } while (performance.now() < untilMs);
    const served = load.served;
    await until(() => load.served > served + 30);
    const { failed, putOff } = await stop();
    expect(failed).toEqual([]);
    expect(putOff).toBe(0);
    tell({ what: `rolling restarts under ${chaos.requestsPerSecond}/s`, value: restarts, unit: 'calls' });
    tell({ what: 'requests served meanwhile', value: load.served, unit: 'calls' });
    tell({ what: 'requests lost', value: failed.length + putOff, unit: 'calls', budget: { atMost: 0 } });
  });

  test('F10, S67: what has expired is removed by one node, and by the other when that one has died', async () => {
    const outdated = () =>
      sql`
      insert into error_records (id, error, data, correlation_id, created_at, expires_at)
      values (gen_random_uuid()::text, 'old', '{}', 'c', now() - interval '2 days', now() - interval '1 day')`.execute(
        nodes.database,
      );
    const left = async () =>
      (await nodes.database.selectFrom('error_records').select('id').where('error', '=', 'old').execute())
        .length;
    const leaseOf = () =>
      nodes.database.selectFrom('job_leases').selectAll().where('name', '=', 'tidy up').executeTakeFirst();
    /** As if the ten minutes, or a dead node's minute, were over. */
    const makeDue = () =>
      nodes.database
        .updateTable('job_leases')
        .set({ next_run_at: new Date(0), held_until: new Date(0) })
        .execute();

    await outdated();
    await makeDue();
    await expect.poll(left).toBe(0);
    await expect.poll(async () => (await leaseOf())!.next_run_at > new Date()).toBe(true);
    const lines = nodes.each.map(({ child }) => child.output().split('"job":"tidy up"').length - 1);

    // somebody holds a row, so that whoever tidies up is in the middle of it
    await outdated();
    await nodes.database.transaction().execute(async (transaction) => {
      await sql`select 1 from error_records for update`.execute(transaction);
      await makeDue();
      await expect.poll(async () => (await leaseOf())!.held_until > new Date(), { interval: 20 }).toBe(true);
      // whichever it is: the other one lives
      await nodes.each[0]!.kill();
    });
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    await makeDue();
    await expect.poll(left).toBe(0);
    await replace(nodes.each[0]!);
  });
});
