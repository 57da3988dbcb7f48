import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findPostgresProgram } from '../../../tools/test/postgres.ts';
import { publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import type { Browser } from '../browser.ts';
import { signIn } from '../journeys.ts';
import { until } from '../until.ts';
import { chaos, chaosTimeoutMs, reportFigure } from './chaos.ts';
import { offerSignIns } from './load.ts';
import type { addManyUsers } from './many-users.ts';
import { packagesMissingForPatroni, startPairOfPatroni } from './patroni-pair.ts';
import { ask, productionLimits, startNodesOnPair, startPairByHand } from './server-pair.ts';
import type { ServerPair } from './server-pair.ts';
import type { Nodes } from './use-nodes.ts';

// Attacks and faults, F03 and F04: a primary is lost, and a standby takes its place. DATABASE_URL of the nodes names
// both servers.

vi.setConfig({ testTimeout: chaosTimeoutMs, hookTimeout: chaosTimeoutMs });

const patroniPackages = packagesMissingForPatroni();
test.runIf(patroniPackages.length > 0)(
  `promotion by Patroni is not tested: Debian's packages ${patroniPackages.join(', ')} are missing`,
  () => expect(patroniPackages).not.toEqual([]),
);

const pairs = [
  {
    loss: 'dies, with a standby that the operator promotes',
    isHere: findPostgresProgram('pg_basebackup') !== undefined,
    start: startPairByHand,
    env: {},
  },
  {
    loss: 'dies, with a standby that Patroni promotes',
    isHere: patroniPackages.length === 0,
    start: () => startPairOfPatroni('dies'),
    env: {},
  },
  {
    loss: 'freezes, with a standby that Patroni promotes',
    isHere: patroniPackages.length === 0,
    start: () => startPairOfPatroni('freezes'),
    env: productionLimits,
  },
];

describe.each(pairs.filter(({ isHere }) => isHere))(
  'two nodes whose primary $loss',
  ({ loss, start, env }) => {
    let pair: ServerPair;
    let nodes: Nodes;
    let users: Awaited<ReturnType<typeof addManyUsers>>;
    const report = (what: string, figure: Omit<Parameters<typeof reportFigure>[0], 'what'>) =>
      reportFigure({ what: `failover, the primary ${loss}: ${what}`, ...figure });

    beforeAll(async () => {
      pair = await start();
      ({ nodes, users } = await startNodesOnPair(pair, { ...(chaos.isFull && productionLimits), ...env }));
    });
    afterAll(async () => {
      await nodes.close();
      await pair.stop();
    });

    test('no acknowledged sign-in is lost, and after the promotion every sign-in succeeds within seconds [F03]', async () => {
      const acknowledged: Browser[] = [];
      let isOver = false;
      onTestFinished(() => void (isOver = true));
      const signingIn = (async () => {
        for (let next = 0; !isOver; next += 1) {
          const browser = createBrowser(nodes.app, publicUrl);
          // a busy machine may answer 503
          const isSignedIn = await signIn(browser, {}, users[200 + (next % 200)]).then(
            () => true,
            () => false,
          );
          if (isSignedIn) acknowledged.push(browser);
        }
      })();
      const { load, stop } = offerSignIns(nodes, users.slice(0, 200), chaos.requestsPerSecond);
      await until(() => acknowledged.length >= (chaos.isFull ? 50 : 5) && load.served > 20);

      await pair.losePrimary();
      const lostMs = performance.now();
      isOver = true;
      await signingIn;
      await until(() => load.deferred > 0);
      await pair.promoteStandby();
      const promotedMs = performance.now();

      const served = load.served;
      await until(() => load.served > served + 30);
      const seen = await stop();
      expect(seen.failed).toEqual([]);
      const sessions = await Promise.all(
        acknowledged.map(async (browser) => (await browser.call('/api/ui/sites')).status),
      );
      expect(new Set(sessions)).toEqual(new Set([200]));
      report('sign-ins acknowledged before, none of them lost', {
        value: acknowledged.length,
        unit: 'calls',
      });
      report('promotion after the loss', { value: (promotedMs - lostMs) / 1000, unit: 's' });
      report('answers 503', { value: seen.deferred, unit: 'calls' });
      report('longest answer', { value: seen.longestAnswerMs, unit: 'ms' });
      report('last 503 after the promotion', {
        value: Math.max(0, (seen.lastFailureMs - promotedMs) / 1000),
        unit: 's',
        budget: { atMost: 5 },
      });
      report('sign-ins that began after the promotion and failed', {
        value: seen.unfinishedSinceMs.filter((beganMs) => beganMs > promotedMs).length,
        unit: 'calls',
        budget: { atMost: 0 },
      });
    });

    test('returns as a standby of the new primary: the nodes keep using the new primary [F04]', async () => {
      const returned = await pair.returnPrimary();
      const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
      await until(() => load.served > 20);
      const seen = await stop();
      expect([seen.deferred, seen.failed]).toEqual([0, []]);
      expect(await ask(returned, 'select pg_is_in_recovery() as standby')).toEqual([{ standby: true }]);
    });
  },
);
