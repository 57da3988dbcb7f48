import { expect, test, vi } from 'vitest';
import { requirePart } from './late-part.ts';
import { reloadOnce as once } from './reload-once.ts';

const part = { AppSetUp: true };
type Load = () => Promise<typeof part>;

function provideReload(mayReload: boolean) {
  vi.restoreAllMocks();
  return {
    tryReload: vi.spyOn(once, 'tryReload').mockResolvedValue(mayReload),
    arrived: vi.spyOn(once, 'arrived').mockReturnValue(undefined),
  };
}

test('a part that fails once is loaded again, without a reload', async () => {
  const reload = provideReload(true);
  const load = vi.fn<Load>(() => Promise.resolve(part)).mockRejectedValueOnce(new Error('offline'));
  expect(await requirePart('app', load)).toBe(part);
  await vi.waitFor(() => expect(reload.arrived.mock.calls).toEqual([['app']]));
  expect(reload.tryReload).not.toHaveBeenCalled();
});

test('a missing part reloads the page, and its action ends only with the page', async () => {
  const reload = provideReload(true);
  const settled = vi.fn<() => void>();
  void requirePart<object>('app', () => Promise.reject(new Error('404'))).then(settled, settled);
  await vi.waitFor(() => expect(reload.tryReload).toHaveBeenCalledWith('app'));
  await new Promise(setImmediate);
  expect(settled).not.toHaveBeenCalled();
});

test('a part that is still missing after a reload fails with its reason', async () => {
  provideReload(false);
  const missing = requirePart<object>('app', () => Promise.reject(new Error('404')));
  await expect(missing).rejects.toThrow('404');
});
