import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { reloadOnce as once } from '../reload-once.ts';
import { createLazyChunks, createShownStore } from './lazy-chunks.ts';

const chunk = { drawn: true };
type Fetcher = () => Promise<typeof chunk>;
const failing: Fetcher = () => Promise.reject(new Error('404'));

function provideReload(mayReload: boolean) {
  vi.restoreAllMocks();
  return {
    tryReload: vi.spyOn(once, 'tryReload').mockResolvedValue(mayReload),
    arrived: vi.spyOn(once, 'arrived').mockReturnValue(undefined),
  };
}

test('a bundled chunk is available at once', () => {
  expect(createLazyChunks<'a', typeof chunk>({ a: chunk }, {}).find('a')).toBe(chunk);
});

test('a chunk is fetched once, no matter how often it is requested, and reports when it has loaded', async () => {
  const fetcher = vi.fn<Fetcher>(() => Promise.resolve(chunk));
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: fetcher });
  const heard = vi.fn<() => void>();
  chunks.subscribe(heard);
  chunks.prefetch('a');
  await Promise.all([chunks.load('a'), chunks.load('a')]);
  await chunks.load('a');
  expect([chunks.find('a'), fetcher.mock.calls.length, heard.mock.calls.length]).toEqual([chunk, 1, 1]);
});

test('a failed prefetch is repeated when the chunk is needed', async () => {
  const fetcher = vi.fn<Fetcher>(failing).mockRejectedValueOnce(new Error('offline'));
  provideReload(false);
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: fetcher });
  chunks.prefetch('a');
  await vi.waitFor(() => expect(fetcher).toHaveBeenCalledTimes(1));
  expect(chunks.find('a')).toBeUndefined();
  fetcher.mockResolvedValueOnce(chunk);
  await chunks.load('a');
  expect(chunks.find('a')).toBe(chunk);
});

test('a missing chunk reloads the page, which stays visible meanwhile [F17]', async () => {
  const reloadOnce = provideReload(true);
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: failing });
  const settled = vi.fn<() => void>();
  void chunks.load('a').then(settled);
  await vi.waitFor(() => expect(reloadOnce.tryReload).toHaveBeenCalledWith('a'));
  expect([chunks.find('a'), settled.mock.calls.length]).toEqual([undefined, 0]);
});

test('a chunk that is still missing after a reload has failed [F17]', async () => {
  provideReload(false);
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: failing });
  await chunks.load('a');
  expect(chunks.find('a')).toBe('failed');
});

test('a loaded chunk can cause another reload later', async () => {
  const reloadOnce = provideReload(true);
  const chunks = createLazyChunks<'a', typeof chunk>({}, { a: () => Promise.resolve(chunk) });
  await chunks.load('a');
  await vi.waitFor(() => expect(reloadOnce.arrived).toHaveBeenCalledWith('a'));
});

test('the screens keep the state of the previous page until the chunk of the next one has loaded', async () => {
  const arrival = Promise.withResolvers<typeof chunk>();
  const fetcher = vi.fn<Fetcher>(() => arrival.promise);
  const chunks = createLazyChunks<'a' | 'b', typeof chunk>({ a: chunk }, { b: fetcher });
  const store = createStore<{ page: 'a' | 'b'; loading: boolean }>(() => ({ page: 'a', loading: true }));
  const shown = createShownStore(store, chunks);
  const heard = vi.fn<() => void>();
  shown.subscribe(heard);
  store.setState({ page: 'b', loading: false });
  expect(shown.getState()).toEqual({ page: 'a', loading: true });
  heard.mockClear();
  arrival.resolve(chunk);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  expect([shown.getState(), fetcher.mock.calls.length]).toEqual([{ page: 'b', loading: false }, 1]);
});
