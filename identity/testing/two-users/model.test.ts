import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestKeys, startApplication } from '../application.ts';
import type { TestApplication } from '../application.ts';
import { describeStore, serverIsThere } from '../describe-store.ts';
import { movableClock } from '../movable-clock.ts';
import { reportFigure } from '../nodes/chaos.ts';
import { sites, withoutLimits } from './accounts.ts';
import { holdHashes } from './held-hashes.ts';
import { Scenario } from './scenario.ts';
import type { Act, Step } from './scenario.ts';

// Attacks and faults, S23 and S25. The test runs the same sequences each time. `npm run bench sequences` runs 50,000
// new sequences, and `MODEL_SEED` repeats a failed run.

const isBench = process.env['MODEL_SEQUENCES'] !== undefined;
const sequences = Number(process.env['MODEL_SEQUENCES'] ?? 400);
const seed = process.env['MODEL_SEED'] ?? (isBench ? undefined : '20261122');

const index = fc.constantFrom(0 as const, 1 as const);
const prompt = fc.constantFrom(
  undefined,
  undefined,
  'login',
  'switch_tenant',
  'switch_site',
  'elevate',
  'change_password',
  'switch_tenant elevate',
);
const where = { browser: index, node: index };
const site = fc.constantFrom(...sites);

/** The weight and kind of each step, and its generated parameters. */
const steps = [
  [8, 'enter', { person: index, site, tab: index }],
  [8, 'authorize', { prompt, tab: index }],
  [9, 'authenticate', { person: index, site: fc.option(site, { nil: undefined, freq: 4 }), tab: index }],
  [8, 'verify', { person: index, tab: index }],
  [5, 'select', { site, tab: index }],
  [5, 'follow', { tab: index }],
  [2, 'redeem', {}],
  [1, 'refresh', {}],
  [1, 'sign-out', {}],
  [1, 'change-password', { person: index, tab: index }],
  [1, 'recover', { person: index }],
  [1, 'operator', { person: index, change: fc.constantFrom('disable', 'phone', 'end-sessions') }],
  [1, 'wait', { seconds: fc.integer({ min: 1, max: 900 }) }],
] as const;
const step = fc.oneof(
  ...steps.map(([weight, kind, drawn]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...where, ...drawn }) as fc.Arbitrary<Step>,
  })),
);

/** Mostly single steps; some steps run concurrently. */
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: step },
  {
    weight: 1,
    arbitrary: fc.record({
      atOnce: fc.array(step, { minLength: 2, maxLength: 3 }),
      order: fc.array(fc.nat({ max: 2 }), { maxLength: 3 }),
    }),
  },
);

/** Half of the sequences use one browser and one tab, and half of them one node, so that their calls interact more often. */
const acts = fc
  .tuple(fc.boolean(), fc.boolean(), fc.array(act, { minLength: 2, maxLength: 10, size: 'max' }))
  .map(([isAlone, isOneNode, all]) => {
    const place = (one: Step): Step => ({
      ...one,
      ...(isAlone && { browser: 0, ...('tab' in one && { tab: 0 }) }),
      ...(isOneNode && { node: 0 }),
    });
    return all.map((one) => ('atOnce' in one ? { ...one, atOnce: one.atOnce.map(place) } : place(one)));
  });

describeStore('two users, two browsers, two nodes', (store) => {
  test(
    'S23, S25: in any sequence, tokens and sessions contain only what the user has proved in that browser, and none from before an account change works',
    { timeout: 24 * 60 * 60_000 },
    async () => {
      // The embedded database gets fewer runs, because it takes twice as long.
      const share = { PGlite: serverIsThere() ? 0.2 : 1, PostgreSQL: 0.8 };
      const runs = Math.ceil(sequences * share[store().kind]);
      const clock = movableClock(new Date());
      const keys = createTestKeys();
      const { database } = store();
      const nodes: TestApplication[] = [];
      for (const _ of [0, 1])
        nodes.push(
          await startApplication(database, { clock, keys, settings: withoutLimits, logLevel: 'silent' }),
        );
      const hashes = holdHashes(nodes);
      let examined = 0;
      let played = 0;
      const property = fc.asyncProperty(acts, async (given) => {
        const scenario = await Scenario.open(nodes, store(), hashes);
        await scenario.play(given);
        examined += scenario.examined;
        played += 1;
        if (played % 200 === 0) for (const table of tables) await database.deleteFrom(table).execute();
      });
      try {
        await fc.assert(property, {
          numRuns: runs,
          ...(seed !== undefined && { seed: Number(seed) }),
          endOnFailure: false,
        });
      } finally {
        for (const node of nodes) await node.close();
      }
      reportFigure({ what: `sequences played on ${store().kind}`, value: played, unit: 'calls' });
      // sequences without sign-ins would prove nothing
      expect(examined).toBeGreaterThan(runs);
    },
  );
});

/** Tables that grow with each sequence. */
const tables = [
  'outbox',
  'code_messages',
  'audit_events',
  'sign_ins',
  'sessions',
  'openid_records',
  'limits',
] as const;
