import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { textOfOutcome } from '../src/report.ts';
import { createScenario } from '../src/scenario-file.ts';
import { verifyService } from '../src/verify-service.ts';
import { startSampleService } from './sample-service.ts';

test('the sample service in Python keeps every rule of a service without regions', async ({ skip }) => {
  const program = 'python3';
  skip(spawnSync(program, ['--version']).status !== 0, `${program} is missing`);
  const service = await startSampleService({ program, file: 'identity_service.py', region: '' });
  try {
    const outcomes = await verifyService(createScenario(service.scenario, service));
    const notOffered = ['region.readable', 'region.listed-alone', 'region.state-change'];
    expect(outcomes.filter(({ status }) => status === 'not offered').map(({ rule }) => rule.id)).toEqual(
      notOffered,
    );
    expect(
      outcomes.filter(({ status }) => status !== 'kept' && status !== 'not offered').map(textOfOutcome),
    ).toEqual([]);
  } finally {
    await service.close();
  }
});
