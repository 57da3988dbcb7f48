import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal } from '../application.ts';
import { serverIsThere } from '../describe-store.ts';
import { startFakeGateway } from '../fake-gateway.ts';
import type { FakeGateway } from '../fake-gateway.ts';
import { followToApplication, readIdToken, redeem, sendPassword } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { chaos, chaosTimeoutMs, reportFigure } from './chaos.ts';
import { offerSignIns } from './load.ts';
import { addManyUsers } from './many-users.ts';
import type { NodeProcess } from './node-process.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';
import { until } from '../until.ts';

// Attacks and faults, F06 and F10: nodes are killed, added, and restarted one by one.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };

describe.runIf(serverIsThere())('stopping and starting nodes', () => {
  let nodes: Nodes;
  let gateway: FakeGateway;
  let users: Awaited<ReturnType<typeof addManyUsers>>;

  beforeAll(async () => {
    gateway = await startFakeGateway();
    nodes = await startNodes(2, {
      env: {
        SMS_SENDER: 'webhook',
        SMS_WEBHOOK_URL: gateway.url,
        // hashes are slow enough to be in flight whenever a node stops, and fast enough for a busy machine
        ARGON2_MEMORY_KIB: '4096',
        // the balancer checks readiness every 50 ms; the full test uses the value of production
        DRAIN_SECONDS: chaos.isFull ? '3' : '1',
        LOG_LEVEL: 'debug',
      },
    });
    // enough users that none reaches a limit
    users = await addManyUsers(nodes.database, chaos.isFull ? 3000 : 200);
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

  test('a sign-in continues on another node if its node is killed between the password and the code [F06]', async () => {
    const browser = nodes.openBrowser();
    const started = await beginSignIn(browser.at(nodes.at(0)), portal);
    await sendPassword(browser.at(nodes.at(0)), started, director);
    const [dying] = nodes.each;
    await dying!.kill();
    const added = await replace(dying!);
    const { returnUrl } = started;
    const answer = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code: readCode() });
    const parameters = await followToApplication(browser, answer);
    const tokens = await redeem(nodes, { ...started, code: parameters.get('code') ?? '' });
    expect(readIdToken(tokens)).toMatchObject({ amr: ['pwd', 'sms'] });
    await expect
      .poll(async () => {
        await nodes.openBrowser().visit('/health/live');
        return nodes.balancer.given.get(added.port) ?? 0;
      })
      .toBeGreaterThan(0);
  });

  test('after SIGTERM, sign-ins, hashes and a slow message in flight are completed, and the node exits with 0 [F10]', async () => {
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
    const signingIn = open.map((one, index) => sendPassword(one.browser, one, users[index]));
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

  test('two nodes are restarted one by one under load without a failed request [F10]', async () => {
    const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
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
    const { failed, deferred } = await stop();
    expect(failed).toEqual([]);
    expect(deferred).toBe(0);
    reportFigure({
      what: `rolling restarts at ${chaos.requestsPerSecond}/s`,
      value: restarts,
      unit: 'calls',
    });
    reportFigure({ what: 'requests served during the restarts', value: load.served, unit: 'calls' });
    reportFigure({
      what: 'requests lost',
      value: failed.length + deferred,
      unit: 'calls',
      budget: { atMost: 0 },
    });
  });

  test('one node deletes expired rows, and the other takes over if that node is killed [F10, S67]', async () => {
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
    /** Makes the job due, and its lease expired. */
    const makeDue = () =>
      nodes.database
        .updateTable('job_leases')
        .set({ next_run_at: new Date(0), held_until: new Date(0) })
        .execute();

    await outdated();
    await makeDue();
    await expect.poll(left).toBe(0);
    await expect.poll(async () => (await leaseOf())!.next_run_at > new Date()).toBe(true);
    // awaited, because a node's output arrives later than its change of the database
    await Promise.any(nodes.each.map(async ({ child }) => child.saw(/"job":"tidy up"/)));

    // a locked row stops the job halfway
    await outdated();
    await nodes.database.transaction().execute(async (transaction) => {
      await sql`select 1 from error_records for update`.execute(transaction);
      await makeDue();
      await expect.poll(async () => (await leaseOf())!.held_until > new Date(), { interval: 20 }).toBe(true);
      // Kills one node; it does not matter whether it is the node that runs the job.
      await nodes.each[0]!.kill();
    });
    await makeDue();
    await expect.poll(left).toBe(0);
    await replace(nodes.each[0]!);
  });
});
