// @vitest-environment happy-dom
import { calls } from '@anteroom/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../api/client.ts';
import { openCorrelation } from '../api/correlation.ts';
import { loadConfig } from './load-config.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the address of config.json changes with the time, so that no cache keeps an older file', async () => {
  const addresses: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    addresses.push(address);
    return Promise.resolve(Response.json({}));
  });
  const api = createClient(calls, { correlation: openCorrelation(), locale: () => 'en' });
  for (const time of [1_000, 2_000]) {
    vi.setSystemTime(time);
    await loadConfig(api, () => {});
  }
  expect(addresses).toEqual(['/ui/config.json?t=1000', '/ui/config.json?t=2000']);
});
