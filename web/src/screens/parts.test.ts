import { expect, test, vi } from 'vitest';
import { createParts } from './parts.ts';

const part = { drawn: true };
type Fetcher = () => Promise<typeof part>;
const gone: Fetcher = () => Promise.reject(new Error('404'));

function reloading(mayReload: boolean) {
  return {
    tryReload: vi.fn<(name: string) => boolean>(() => mayReload),
    arrived: vi.fn<(name: string) => void>(),
  };
}

test('what came with the application is there at once', () => {
  expect(createParts<'a', typeof part>({ a: part }, {}, reloading(true)).find('a')).toBe(part);
});

test('a part is fetched once, however often it is asked for, and tells when it is there', async () => {
  const fetcher = vi.fn<Fetcher>(() => Promise.resolve(part));
  const parts = createParts<'a', typeof part>({}, { a: fetcher }, reloading(true));
  const heard = vi.fn<() => void>();
  parts.subscribe(heard);
  parts.prefetch('a');
  await Promise.all([parts.load('a'), parts.load('a')]);
  await parts.load('a');
  expect([parts.find('a'), fetcher.mock.calls.length, heard.mock.calls.length]).toEqual([part, 1, 1]);
});

test('what could not be fetched ahead is fetched again when it is needed', async () => {
  const fetcher = vi.fn<Fetcher>(gone).mockRejectedValueOnce(new Error('offline'));
  const parts = createParts<'a', typeof part>({}, { a: fetcher }, reloading(false));
  parts.prefetch('a');
  await vi.waitFor(() => expect(fetcher).toHaveBeenCalledTimes(1));
  expect(parts.find('a')).toBeUndefined();
  fetcher.mockResolvedValueOnce(part);
  await parts.load('a');
  expect(parts.find('a')).toBe(part);
});

test('a part that is gone reloads the page, and what is on it stays meanwhile', async () => {
  const reloadOnce = reloading(true);
  const parts = createParts<'a', typeof part>({}, { a: gone }, reloadOnce);
  const settled = vi.fn<() => void>();
  void parts.load('a').then(settled);
  await vi.waitFor(() => expect(reloadOnce.tryReload).toHaveBeenCalledWith('a'));
  expect([parts.find('a'), settled.mock.calls.length]).toEqual([undefined, 0]);
});

test('a part that is gone after a reload too has failed', async () => {
  const parts = createParts<'a', typeof part>({}, { a: gone }, reloading(false));
  await parts.load('a');
  expect(parts.find('a')).toBe('failed');
});

test('a part that arrives may be reloaded for another time', async () => {
  const reloadOnce = reloading(true);
  const parts = createParts<'a', typeof part>({}, { a: () => Promise.resolve(part) }, reloadOnce);
  await parts.load('a');
  expect(reloadOnce.arrived).toHaveBeenCalledWith('a');
});
