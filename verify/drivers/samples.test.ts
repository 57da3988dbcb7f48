import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFreePort } from '../../tools/start/ports.ts';
import { textOfOutcome } from '../src/report.ts';
import { createScenario } from '../src/scenario-file.ts';
import { verifyService } from '../src/verify-service.ts';

const folder = fileURLToPath(new URL('../../samples', import.meta.url));
const scenario: unknown = JSON.parse(readFileSync(`${folder}/identity-service.scenario.json`, 'utf8'));

test.for([
  { language: 'Node', program: process.execPath, file: 'identity-service.mjs' },
  { language: 'Python', program: 'python3', file: 'identity_service.py' },
])(
  'the sample service in $language keeps every rule of a service without regions',
  async ({ program, file }, { skip }) => {
    skip(spawnSync(program, ['--version']).status !== 0, `${program} is missing`);
    const port = String(await findFreePort());
    const service = spawn(program, [file], {
      cwd: folder,
      env: { ...process.env, PORT: port, TEST_CONTROLS: 'true' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(service.stdout, 'data');
      const outcomes = await verifyService(createScenario(scenario, { url: `http://localhost:${port}` }));
      // The samples are configured without another region.
      const notOffered = ['region.readable', 'region.listed-alone', 'region.state-change'];
      expect(outcomes.filter(({ status }) => status === 'not offered').map(({ rule }) => rule.id)).toEqual(
        notOffered,
      );
      expect(
        outcomes.filter(({ status }) => status !== 'kept' && status !== 'not offered').map(textOfOutcome),
      ).toEqual([]);
    } finally {
      service.kill();
      await once(service, 'exit');
    }
  },
);
