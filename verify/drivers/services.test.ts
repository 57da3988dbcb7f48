import { calls } from '@anteroom/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Need } from '../src/rule.ts';
import { rules } from '../src/rules.ts';
import type { Scenario } from '../src/scenario.ts';
import { startRealService } from './real-service.ts';
import { startScriptedService } from './scripted-service.ts';

const services: { name: string; start: typeof startRealService; offers: readonly Need[] }[] = [
  {
    name: 'real',
    start: startRealService,
    offers: ['several browsers', 'organisations', 'finished sign-ins'],
  },
  { name: 'scripted', start: startScriptedService, offers: ['organisations', 'finished sign-ins'] },
];

describe.each(services)('the $name service keeps the wire contract', ({ start, offers }) => {
  let service: { scenario: Scenario; close: () => Promise<void> };
  beforeAll(async () => {
    service = await start();
  });
  afterAll(async () => service.close());

  const offered = rules.filter(({ needs = [] }) => needs.every((need) => offers.includes(need)));
  test.each(offered.map((rule) => [rule.id, rule] as const))('%s', async (_id, { run }) => {
    await expect(run(service.scenario)).resolves.toBeUndefined();
  });
});

test('every rule has an id of its own, and the rules are about all calls of the contract', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  const sources = rules.map(({ run }) => run.toString()).join('\n');
  const unnamed = Object.keys(calls).filter((name) => !new RegExp(`['"]${name}['"]`).test(sources));
  expect(unnamed).toEqual([]);
});
