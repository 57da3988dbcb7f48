import { calls } from '@anteroom/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerRules } from '../src/every-answer.ts';
import { textOfOutcome } from '../src/report.ts';
import { rules } from '../src/rules.ts';
import { createScenario } from '../src/scenario-file.ts';
import { verifyService } from '../src/verify-service.ts';
import type { StartedService } from './controls.ts';
import { startRealService } from './real-service.ts';
import { startSampleService } from './sample-service.ts';

const services = [
  { name: 'real', start: startRealService },
  { name: 'sample', start: () => startSampleService() },
];

describe.each(services)(
  'the $name service keeps the wire contract [3.1, 3.4, 4.29, S13, S19]',
  ({ start }) => {
    let service: StartedService;
    beforeAll(async () => {
      service = await start();
    });
    afterAll(async () => service.close());

    test.each(rules.map(({ id }) => id))('%s', async (id) => {
      const [outcome] = await verifyService(createScenario(service.scenario, service), { only: [id] });
      expect(outcome?.status, outcome && textOfOutcome(outcome)).toBe('kept');
    });
  },
);

test('every rule has a unique id, and every call of the contract has a rule', () => {
  const ids = [...rules, ...answerRules].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const sources = rules.map(({ run }) => run.toString()).join('\n');
  const unnamed = Object.keys(calls).filter((name) => !new RegExp(`['"]${name}['"]`).test(sources));
  expect(unnamed).toEqual([]);
});
