// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reloadOnce, reloadUntouched } from './reload-once.ts';
import { restoreTyped, resumesFor } from './reloaded.ts';

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
  restoreTyped();
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

describe('what was typed', () => {
  const draw = (): void => {
    document.body.innerHTML = `<main>
      <input name="userName" autocomplete="username" value="">
      <input name="phoneNumber" type="tel" autocomplete="tel" value="">
      <input name="password" type="password" autocomplete="current-password" value="">
      <input name="shown" type="text" autocomplete="new-password" value="">
      <input name="code-1" autocomplete="one-time-code" value="">
      <input name="recoveryCode" autocomplete="off" value="">
    </main>`;
  };
  const fields = (): HTMLInputElement[] => [...document.querySelectorAll('input')];
  const values = (): string[] => fields().map(({ value }) => value);

  test('is filled in after the reload, without passwords and codes [F17]', async () => {
    draw();
    for (const field of fields()) field.value = `typed ${field.name}`;
    await reloadOnce.tryReload('language-menu');
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toMatch(
      /typed (password|shown|code|recovery)/,
    );
    draw();
    restoreTyped();
    expect(values()).toEqual(['typed userName', 'typed phoneNumber', '', '', '', '']);
    draw();
    restoreTyped();
    expect(values().join('')).toBe('');
  });

  test('does not replace what the visitor types meanwhile', async () => {
    draw();
    for (const field of fields()) field.value = 'before';
    await reloadOnce.tryReload('language-menu');
    draw();
    for (const field of fields()) field.value = 'after';
    restoreTyped();
    expect(new Set(values())).toEqual(new Set(['after']));
  });

  test('prevents a reload for a part that no action needs', async () => {
    draw();
    expect(await reloadUntouched.tryReload('passkey-button')).toBe(true);
    sessionStorage.clear();
    for (const field of fields()) field.value = 'x';
    expect(await reloadUntouched.tryReload('passkey-button')).toBe(false);
  });
});
