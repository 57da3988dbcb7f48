import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { until } from '../until.ts';
import { chaos, chaosTimeoutMs, waitSeconds, reportFigure } from './chaos.ts';
import { offerSignIns } from './load.ts';
import type { addManyUsers } from './many-users.ts';
import { packagesMissingForPatroni, startPairOfPatroni } from './patroni-pair.ts';
import type { PatroniPair } from './patroni-pair.ts';
import { ask, productionLimits, startNodesOnPair, waitFor } from './server-pair.ts';
import type { Nodes } from './use-nodes.ts';

// Attacks and faults, F03: failures with Patroni and etcd other than a lost primary, which failover.test.ts tests.

vi.setConfig({ testTimeout: chaosTimeoutMs, hookTimeout: chaosTimeoutMs });

describe.runIf(packagesMissingForPatroni().length === 0)('two nodes on servers with Patroni', () => {
  let pair: PatroniPair;
  let nodes: Nodes;
  let users: Awaited<ReturnType<typeof addManyUsers>>;

  beforeAll(async () => {
    pair = await startPairOfPatroni('dies');
    ({ nodes, users } = await startNodesOnPair(pair, productionLimits));
  });
  afterAll(async () => {
    await nodes.close();
    await pair.stop();
  });

  test.each(['dies', 'freezes'] as const)(
    'a synchronous standby that %s is no longer waited for, and every sign-in succeeds again [F03]',
    async (loss) => {
      const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
      await until(() => load.served > 20);
      await pair.loseStandby(loss);
      const lostMs = performance.now();
      await waitFor(pair.primaryUrl, `current_setting('synchronous_standby_names') = ''`);
      const { served } = load;
      await until(() => load.served > served + 60);
      const seen = await stop();
      expect(seen.failed).toEqual([]);
      reportFigure({
        what: `failover, the standby ${loss}: last 503 after the loss`,
        value: Math.max(0, (seen.lastFailureMs - lostMs) / 1000),
        unit: 's',
      });
      await pair.returnStandby(loss);
    },
  );

  test('if etcd is lost for longer than the lock of the primary lasts, the primary continues and sign-ins succeed [F03]', async () => {
    const runsSince = () =>
      ask(pair.primaryUrl, 'select pg_postmaster_start_time()::text, pg_is_in_recovery()');
    const before = await runsSince();
    const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    pair.freezeEtcd();
    await waitSeconds(pair.ttlSeconds + 10);
    const { served } = load;
    await until(() => load.served > served + 30);
    pair.thawEtcd();
    const seen = await stop();
    expect(seen.failed).toEqual([]);
    expect(await runsSince()).toEqual(before);
    reportFigure({ what: 'failover, etcd lost for 30 s: answers 503', value: seen.deferred, unit: 'calls' });
  });

  test('a planned switch of the primary delays sign-ins for seconds, and loses none [F03]', async () => {
    const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    const beganMs = performance.now();
    await pair.switchOver();
    const promotedMs = performance.now();
    const { served } = load;
    await until(() => load.served > served + 30);
    const seen = await stop();
    expect(seen.failed).toEqual([]);
    reportFigure({ what: 'failover, planned switch: answers 503', value: seen.deferred, unit: 'calls' });
    reportFigure({
      what: 'failover, planned switch: promotion after its beginning',
      value: (promotedMs - beganMs) / 1000,
      unit: 's',
    });
    reportFigure({
      what: 'failover, planned switch: last 503 after its beginning',
      value: Math.max(0, (seen.lastFailureMs - beganMs) / 1000),
      unit: 's',
    });
  });
});
