import type { Config } from '@anteroom/contract';
import type { Api } from '../api/client.ts';

/** How long the first screen waits for the configuration file, which holds the links of the footer. */
const configPatienceMs = 2000;

/** Reads the configuration; the first screen does not wait for a slow one. */
export async function loadConfig(api: Api, onLoaded: (config: Config) => void): Promise<void> {
  const loading = api
    .call('getConfig', { query: { t: `${Date.now()}` } })
    // a missing file leaves out what it would have said
    .then((result) => onLoaded(result.ok ? result.answer : {}));
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, configPatienceMs))]);
}
