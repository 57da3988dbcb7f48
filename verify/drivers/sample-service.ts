import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../tools/start/ports.ts';
import type { ScenarioFile } from '../src/scenario-file.ts';
import type { StartedService } from './controls.ts';

const folder = fileURLToPath(new URL('../../samples', import.meta.url));
/** The front end of another region. */
export const regionOrigin = 'https://eu.id.example';

/** Starts one of the samples as a process, by default the one in Node, beside another region or, with '', alone. */
export async function startSampleService({
  program = process.execPath,
  file = 'identity-service.mjs',
  region = regionOrigin,
} = {}): Promise<StartedService> {
  const port = String(await findFreePort());
  const service = spawn(program, [file], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: port,
      TEST_CONTROLS: 'true',
      ...(region !== '' && { REGION_ORIGIN: region }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(service.stdout, 'data');
  const scenario = JSON.parse(
    readFileSync(`${folder}/identity-service.scenario.json`, 'utf8'),
  ) as ScenarioFile;
  return {
    url: `http://localhost:${port}`,
    scenario: { ...scenario, regionOrigin: region === '' ? undefined : region },
    close: async () => {
      const exit = once(service, 'exit');
      service.kill();
      await exit;
    },
  };
}
