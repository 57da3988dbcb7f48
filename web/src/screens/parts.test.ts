import { expect, test, vi } from 'vitest';
import { createParts } from './parts.ts';

const part = { drawn: true };
type Fetcher = () => Promise<typeof part>;
const failing: Fetcher = () => Promise.reject(new Error('404'));

function reloading(mayReload: boolean) {
  return {
    tryReload: vi.fn<(name: string) => boolean>(() => mayReload),
    arrived: vi.fn<(name: string) => void>(),
  };
}

test('a bundled part is available at once', () => {
  expect(createParts<'a', typeof part>({ a: part }, {}, reloading(true)).find('a')).toBe(part);
});

test('a part is fetched once, no matter how often it is requested, and reports when it has loaded', async () => {
  const fetcher = vi.fn<Fetcher>(() => Promise.resolve(part));
  const parts = createParts<'a', typeof part>({}, { a: fetcher }, reloading(true));
  const heard = vi.fn<() => void>();
  parts.subscribe(heard);
  parts.prefetch('a');
  await Promise.all([parts.load('a'), parts.load('a')]);
  await parts.load('a');
  expect([parts.find('a'), fetcher.mock.calls.length, heard.mock.calls.length]).toEqual([part, 1, 1]);
});

test('a failed prefetch is repeated when the part is needed', async () => {
  const fetcher = vi.fn<Fetcher>(failing).mockRejectedValueOnce(new Error('offline'));
  const parts = createParts<'a', typeof part>({}, { a: fetcher }, reloading(false));
  parts.prefetch('a');
  await vi.waitFor(() => expect(fetcher).toHaveBeenCalledTimes(1));
  expect(parts.find('a')).toBeUndefined();
  fetcher.mockResolvedValueOnce(part);
  await parts.load('a');
  expect(parts.find('a')).toBe(part);
});

test('a missing part reloads the page, which stays visible meanwhile', async () => {
  const reloadOnce = reloading(true);
  const parts = createParts<'a', typeof part>({}, { a: failing }, reloadOnce);
  const settled = vi.fn<() => void>();
  void parts.load('a').then(settled);
  await vi.waitFor(() => expect(reloadOnce.tryReload).toHaveBeenCalledWith('a'));
  expect([parts.find('a'), settled.mock.calls.length]).toEqual([undefined, 0]);
});

test('a part that is still missing after a reload has failed', async () => {
  const parts = createParts<'a', typeof part>({}, { a: failing }, reloading(false));
  await parts.load('a');
  expect(parts.find('a')).toBe('failed');
});

test('a loaded part can cause another reload later', async () => {
  const reloadOnce = reloading(true);
  const parts = createParts<'a', typeof part>({}, { a: () => Promise.resolve(part) }, reloadOnce);
  await parts.load('a');
  expect(reloadOnce.arrived).toHaveBeenCalledWith('a');
});
