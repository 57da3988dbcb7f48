import type { Config } from '@anteroom/contract';
import type { Api } from '../api/client.ts';

/** How long the first screen waits for the configuration, which contains the links of the footer. */
const configPatienceMs = 2000;

/** Loads the configuration; a slow one does not delay the first screen. */
export async function loadConfig(api: Api, onLoaded: (config: Config) => void): Promise<void> {
  const loading = api
    .call('getConfig', { query: { t: `${Date.now()}` } })
    // If the file cannot be loaded, all settings are unset.
    .then((result) => onLoaded(result.ok ? result.answer : {}));
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, configPatienceMs))]);
}
