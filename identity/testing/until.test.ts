import { expect, test } from 'vitest';
import { until } from './until.ts';

test('a wait that fails names its condition', async () => {
  const isReady = (): boolean => false;
  await expect(until(() => isReady(), 10)).rejects.toThrow(/Waited 0.01 s in vain for: .*isReady/s);
});

test('a condition that throws ends the wait with its own error', async () => {
  await expect(until(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
