// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepTyped, restoreTyped } from './typed-fields.ts';

const form = `<main>
  <input name="userName" autocomplete="username" value="">
  <input name="phoneNumber" type="tel" autocomplete="tel" value="">
  <input name="password" type="password" autocomplete="current-password" value="">
  <input name="shown" type="text" autocomplete="new-password" value="">
  <input name="code-1" autocomplete="one-time-code" value="">
  <input name="recoveryCode" autocomplete="off" value="">
</main>`;
const draw = (html = form): void => {
  document.body.innerHTML = html;
};
const fields = (): HTMLInputElement[] => [...document.querySelectorAll('input')];
const values = (): string[] => fields().map(({ value }) => value);
const typeAll = (): void => {
  for (const field of fields()) field.value = `typed ${field.name}`;
};

let listening: AbortController;
const leave = (): boolean => window.dispatchEvent(new Event('pagehide'));
const arriveBy = (type: NavigationTimingType): void => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
};

beforeEach(() => {
  sessionStorage.clear();
  listening = new AbortController();
  keepTyped(listening.signal);
  draw();
});
afterEach(() => {
  listening.abort();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test.each(['reload', 'back_forward'] as const)(
  'what was typed is filled in once after %s, without passwords and codes [F17]',
  (type) => {
    arriveBy(type);
    typeAll();
    leave();
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toMatch(
      /typed (password|shown|code|recovery)/,
    );
    draw();
    restoreTyped();
    expect(values()).toEqual(['typed userName', 'typed phoneNumber', '', '', '', '']);
    draw();
    restoreTyped();
    expect(values().join('')).toBe('');
  },
);

test('the user name of a step without its field is filled in after a reload', () => {
  arriveBy('reload');
  draw('<main><bdi data-user-name="">ada@acme.example</bdi></main>');
  leave();
  draw();
  fields()[0]!.focus();
  restoreTyped();
  expect(values()[0]).toBe('ada@acme.example');
  expect(document.activeElement).toBe(fields()[2]);
});

test.each([
  [
    'only a password manager sees the password',
    form.replace('type="password"', 'type="password" tabindex="-1"'),
    false,
  ],
  ['the visitor has already used the page', form, true],
])('the focus stays in the user name if %s', (_, html, hasBeenActive) => {
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive } });
  arriveBy('reload');
  typeAll();
  leave();
  draw(html);
  fields()[0]!.focus();
  restoreTyped();
  expect(values()[0]).toBe('typed userName');
  expect(document.activeElement).toBe(fields()[0]);
});

test('a page that is opened anew shows nothing that was typed before', () => {
  arriveBy('navigate');
  typeAll();
  leave();
  draw();
  restoreTyped();
  expect(values().join('')).toBe('');
  expect(sessionStorage.length).toBe(0);
});

test.each([
  ['a submitted form', '<main data-loading="true"><input name="userName" value="ada"></main>'],
  [
    'a sign-in on a public computer',
    '<main><bdi data-user-name="">ada</bdi><input type="checkbox" name="publicComputerSignIn" checked></main>',
  ],
])('%s leaves nothing', (_, html) => {
  typeAll();
  leave();
  draw(html);
  leave();
  expect(sessionStorage.length).toBe(0);
});

test('what the visitor types meanwhile is not replaced', () => {
  arriveBy('reload');
  typeAll();
  leave();
  draw();
  for (const field of fields()) field.value = 'after';
  restoreTyped();
  expect(new Set(values())).toEqual(new Set(['after']));
});

test('blocked storage fails nothing', () => {
  const blocked = (): never => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  leave();
  expect(restoreTyped).not.toThrow();
});
