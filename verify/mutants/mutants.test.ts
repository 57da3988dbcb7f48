import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSampleService } from '../drivers/sample-service.ts';
import type { StartedService } from '../drivers/controls.ts';
import { answerRules } from '../src/every-answer.ts';
import { rules } from '../src/rules.ts';
import { textOfOutcome } from '../src/report.ts';
import { createScenario } from '../src/scenario-file.ts';
import { verifyService } from '../src/verify-service.ts';
import { mutants } from './mutants.ts';
import { startMutatingProxy } from './proxy.ts';

let service: StartedService;
let proxy: Awaited<ReturnType<typeof startMutatingProxy>>;
beforeAll(async () => {
  service = await startSampleService();
  proxy = await startMutatingProxy(service.url);
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

test('an unmodified service keeps every rule', async () => {
  proxy.play({});
  const outcomes = await verifyService(createScenario(service.scenario, proxy));
  expect(outcomes.filter(({ status }) => status !== 'kept').map(textOfOutcome)).toEqual([]);
});

test('every rule has a mutant that breaks it', () => {
  const broken = new Set(mutants.map(({ breaks }) => breaks));
  expect([...broken].toSorted()).toEqual([...rules, ...answerRules].map(({ id }) => id).toSorted());
});

test.each(mutants.map((mutant) => [`${mutant.breaks}: a service that ${mutant.does}`, mutant] as const))(
  'a service that %s is reported',
  async (_title, { breaks, seenBy = breaks, mutate }) => {
    proxy.play(mutate());
    const [outcome] = await verifyService(createScenario(service.scenario, proxy), { only: [seenBy] });
    expect(outcome).toMatchObject({ status: 'broken', broken: { id: breaks } });
  },
);
