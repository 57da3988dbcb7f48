import { expect, test, vi } from 'vitest';
import { createLazyChunks } from './lazy-chunks.ts';

const chunk = { drawn: true };
type Fetcher = () => Promise<typeof chunk>;
const failing: Fetcher = () => Promise.reject(new Error('404'));

function reloading(mayReload: boolean) {
  return {
    tryReload: vi.fn<(name: string) => boolean>(() => mayReload),
    arrived: vi.fn<(name: string) => void>(),
  };
}

test('a bundled chunk is available at once', () => {
  expect(createLazyChunks<'a', typeof chunk>({ a: chunk }, {}, reloading(true)).find('a')).toBe(chunk);
});

test('a chunk is fetched once, no matter how often it is requested, and reports when it has loaded', async () => {
  const fetcher = vi.fn<Fetcher>(() => Promise.resolve(chunk));
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: fetcher }, reloading(true));
  const heard = vi.fn<() => void>();
  chunks.subscribe(heard);
  chunks.prefetch('a');
  await Promise.all([chunks.load('a'), chunks.load('a')]);
  await chunks.load('a');
  expect([chunks.find('a'), fetcher.mock.calls.length, heard.mock.calls.length]).toEqual([chunk, 1, 1]);
});

test('a failed prefetch is repeated when the chunk is needed', async () => {
  const fetcher = vi.fn<Fetcher>(failing).mockRejectedValueOnce(new Error('offline'));
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: fetcher }, reloading(false));
  chunks.prefetch('a');
  await vi.waitFor(() => expect(fetcher).toHaveBeenCalledTimes(1));
  expect(chunks.find('a')).toBeUndefined();
  fetcher.mockResolvedValueOnce(chunk);
  await chunks.load('a');
  expect(chunks.find('a')).toBe(chunk);
});

test('a missing chunk reloads the page, which stays visible meanwhile', async () => {
  const reloadOnce = reloading(true);
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: failing }, reloadOnce);
  const settled = vi.fn<() => void>();
  void chunks.load('a').then(settled);
  await vi.waitFor(() => expect(reloadOnce.tryReload).toHaveBeenCalledWith('a'));
  expect([chunks.find('a'), settled.mock.calls.length]).toEqual([undefined, 0]);
});

test('a chunk that is still missing after a reload has failed', async () => {
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: failing }, reloading(false));
  await chunks.load('a');
  expect(chunks.find('a')).toBe('failed');
});

test('a loaded chunk can cause another reload later', async () => {
  const reloadOnce = reloading(true);
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: () => Promise.resolve(chunk) }, reloadOnce);
  await chunks.load('a');
  expect(reloadOnce.arrived).toHaveBeenCalledWith('a');
});
