// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reloadOnce, reloadUntouched } from './reload-once.ts';
import { resumesFor } from './reloaded.ts';

const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});

beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 404 })));
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test('reloads only once for a part', async () => {
  expect([await reloadOnce.tryReload('select-site'), await reloadOnce.tryReload('select-site')]).toEqual([
    true,
    false,
  ]);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a part that has loaded can cause another reload later', async () => {
  await reloadOnce.tryReload('select-site');
  reloadOnce.arrived('select-site');
  expect(await reloadOnce.tryReload('select-site')).toBe(true);
});

test('another part that loads changes nothing', async () => {
  await reloadOnce.tryReload('select-site');
  reloadOnce.arrived('logout');
  expect(await reloadOnce.tryReload('select-site')).toBe(false);
});

test('does not reload if storage is blocked', async () => {
  const blocked = (): never => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  expect(await reloadOnce.tryReload('select-site')).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  expect(resumesFor('select-site')).toBe(false);
});

test('does not reload without a connection, and can reload later', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await reloadOnce.tryReload('select-site')).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  expect(await reloadOnce.tryReload('select-site')).toBe(true);
});

test('the action that needed the part goes on once after the reload', async () => {
  await reloadOnce.tryReload('phone-number');
  expect([resumesFor('authenticator-app'), resumesFor('phone-number'), resumesFor('phone-number')]).toEqual([
    false,
    true,
    false,
  ]);
});

test('what is typed prevents a reload for a part that no action needs', async () => {
  document.body.innerHTML = '<main><input name="userName" value=""></main>';
  expect(await reloadUntouched.tryReload('passkey-button')).toBe(true);
  sessionStorage.clear();
  for (const field of document.querySelectorAll('input')) field.value = 'x';
  expect(await reloadUntouched.tryReload('passkey-button')).toBe(false);
});
