import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestKeys, publicUrl, startApplication } from '../application.ts';
import type { TestApplication } from '../application.ts';
import { connect } from '../company/connect.ts';
import { startOpenidCompany } from '../company/openid-company.ts';
import { describeStore, serverIsThere } from '../describe-store.ts';
import { movableClock } from '../movable-clock.ts';
import { reportFigure } from '../nodes/chaos.ts';
import { secondFactorAcr } from '../../src/sessions/assurance.ts';
import { accountCalls } from './account-calls.ts';
import { sites, withoutLimits } from './accounts.ts';
import type { Index } from './facts.ts';
import { holdHashes } from './held-hashes.ts';
import { Scenario } from './scenario.ts';
import type { Act, Step } from './steps.ts';

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
  [8, 'enter', { user: index, site, tab: index }],
  [8, 'authorize', { prompt, acr: fc.constantFrom(undefined, undefined, secondFactorAcr), tab: index }],
  [9, 'authenticate', { user: index, site: fc.option(site, { nil: undefined, freq: 4 }), tab: index }],
  [8, 'verify', { user: index, tab: index }],
  [5, 'select', { site: fc.constantFrom(...sites, 'corp'), tab: index }],
  [5, 'follow', { tab: index }],
  [2, 'redeem', {}],
  [1, 'refresh', {}],
  [1, 'sign-out', {}],
  [1, 'change-password', { user: index, tab: index }],
  [1, 'recover', { user: index }],
  [1, 'operator', { user: index, change: fc.constantFrom('disable', 'phone', 'end-sessions') }],
  [2, 'passkey', { user: index, site: fc.option(site, { nil: undefined, freq: 4 }), tab: index }],
  [2, 'app-code', { user: index, isRecoveryCode: fc.boolean(), tab: index }],
  [2, 'enrol-app', { user: index, tab: index }],
  [1, 'enrol-passkey', { tab: index }],
  [2, 'company', { user: index, tab: index }],
  [2, 'confirm', { user: index, isWhole: fc.boolean(), tab: index }],
  [8, 'account', { call: fc.constantFrom(...accountCalls) }],
  // up to the idle limit of sessions; sign-ins expire after 15 minutes, and proofs after 10
  [3, 'wait', { seconds: fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 601, max: 1799 })) }],
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

/** Sequences often begin with a user in a state that random steps rarely reach. */
const beginning: fc.Arbitrary<Step[]> = fc
  .tuple(index, index, site, index)
  .chain(([browser, user, entered, tab]) => {
    const at = { browser, node: 0 as const };
    const enter: Step = { ...at, kind: 'enter', user, site: entered, tab };
    const call = (name: (typeof accountCalls)[number]): Step => ({ ...at, kind: 'account', call: name });
    const long: Step = { ...at, kind: 'wait', seconds: 700 };
    const signOut: Step = { ...at, kind: 'sign-out' };
    const passwordAlone: Step[] = [
      { ...at, kind: 'authorize', prompt: 'elevate', acr: undefined, tab },
      { ...at, kind: 'authenticate', user, site: undefined, tab },
      { ...at, kind: 'follow', tab },
    ];
    const onlyPasskey = [enter, call('add-passkey'), call('remove-phone'), signOut];
    return fc.constantFrom<Step[]>(
      [],
      [],
      [],
      [enter, long],
      [enter, long, ...passwordAlone],
      [{ ...at, kind: 'company', user, tab }],
      [enter, call('set-up-app')],
      [enter, call('set-up-app'), call('remove-phone'), signOut],
      onlyPasskey,
      [...onlyPasskey, { ...at, kind: 'enrol-app', user, tab: 0 }],
    );
  });

/** Account calls run concurrently with the steps of another browser, so that it is known who makes them. */
const isOfAccountPage = ({ kind }: Step): boolean => kind === 'account' || kind === 'confirm';
const apart = (one: Step): Step => ({ ...one, browser: isOfAccountPage(one) ? 1 : 0 });

type Sequence = { isVictimWithoutFactor: boolean; acts: Act[] };

/** Half of the sequences use one browser and one tab, and half of them one node, so that their calls interact more often. */
const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    isAlone: fc.boolean(),
    isOneNode: fc.boolean(),
    isVictimWithoutFactor: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 3),
    first: beginning,
    rest: fc.array(act, { minLength: 2, maxLength: 8, size: 'max' }),
  })
  .map(({ isAlone, isOneNode, isVictimWithoutFactor, first, rest }) => {
    const place = (one: Step): Step => ({
      ...one,
      ...(isAlone && { browser: 0 as Index, ...('tab' in one && { tab: 0 as Index }) }),
      ...(isOneNode && { node: 0 as Index }),
    });
    const acts = [...first, ...rest].map((one): Act => {
      if (!('atOnce' in one)) return place(one);
      const steps = one.atOnce.map(place);
      return { ...one, atOnce: steps.some(isOfAccountPage) ? steps.map(apart) : steps };
    });
    return { isVictimWithoutFactor, acts };
  });

describeStore('two users, two browsers, two nodes', (store) => {
  test(
    'in any sequence, tokens and sessions contain only what the user has proved in that browser, and none from before an account change works [S23, S25]',
    { timeout: 24 * 60 * 60_000 },
    async () => {
      // The embedded database gets fewer runs, because it takes twice as long.
      const share = { PGlite: serverIsThere() ? 0.2 : 1, PostgreSQL: 0.8 };
      const runs = Math.ceil(sequences * share[store().kind]);
      const clock = movableClock(new Date());
      const keys = createTestKeys();
      const { database } = store();
      const nodes: TestApplication[] = [];
      const settings = { ...withoutLimits, PASSKEY_RP_ID: 'localhost' };
      const company = await startOpenidCompany({ redirectUri: `${publicUrl}/external/callback` });
      for (const _ of [0, 1])
        nodes.push(await startApplication(database, { clock, keys, settings, logLevel: 'silent' }));
      for (const node of nodes.slice(0, 1))
        await connect(node, {
          name: 'company',
          settings: { issuer: company.issuer, clientId: company.clientId },
          clientSecret: company.clientSecret,
          domains: ['demo.example'],
          sites: ['corp'],
        });
      // a user without a second factor may set up an app at a site that requires one
      await database
        .updateTable('sites')
        .set({ authenticator_apps: true })
        .where('name', '=', 'summit')
        .execute();
      const hashes = holdHashes(nodes);
      let examined = 0;
      let played = 0;
      let permitted = 0;
      const property = fc.asyncProperty(sequence, async ({ acts, ...given }) => {
        const scenario = await Scenario.open({ nodes, store: store(), hashes, company }, given);
        await scenario.play(acts);
        examined += scenario.counts.examined;
        permitted += scenario.counts.permitted;
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
        await company.close();
      }
      reportFigure({ what: `sequences played on ${store().kind}`, value: played, unit: 'calls' });
      // sequences without sign-ins and account calls would prove nothing
      expect(examined).toBeGreaterThan(runs);
      expect(permitted).toBeGreaterThan(runs / 4);
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
