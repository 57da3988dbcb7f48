// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reloadOnce } from './reload-once.ts';

const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});

beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('reloads only once for a part', () => {
  expect([reloadOnce.tryReload('select-site'), reloadOnce.tryReload('select-site')]).toEqual([true, false]);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a part that has loaded can cause another reload later', () => {
  reloadOnce.tryReload('select-site');
  reloadOnce.arrived('select-site');
  expect(reloadOnce.tryReload('select-site')).toBe(true);
});

test('another part that loads changes nothing', () => {
  reloadOnce.tryReload('select-site');
  reloadOnce.arrived('logout');
  expect(reloadOnce.tryReload('select-site')).toBe(false);
});

test('does not reload if storage is blocked', () => {
  const blocked = (): never => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  expect(reloadOnce.tryReload('select-site')).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});
