// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Locale } from '@anteroom/contract';
import { findStoredLocale } from './language-choice.ts';
import {
  loadLanguage,
  loadTexts,
  requireLanguage,
  showLanguage,
  switchLanguage,
} from './current-language.ts';

const heading: Record<string, string> = { en: 'Sign in', ar: 'تسجيل الدخول', de: 'Anmelden' };

/** Pending requests for locale files, by group and language. */
const waiting = new Map<string, (answer: Response) => void>();

const answer = (locale: Locale): void =>
  waiting.get(locale)?.(Response.json({ login: { heading: heading[locale] } }));

beforeEach(() => {
  vi.stubGlobal('fetch', (address: string) => {
    const name = /i18n\/(.+)-/.exec(address)?.[1] ?? '';
    return new Promise<Response>((resolve) => waiting.set(name, resolve));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  waiting.clear();
});

test('a language sets the lang and dir of the document', async () => {
  const loading = loadLanguage('ar');
  answer('ar');
  await loading;
  expect(requireLanguage().t('login.heading')).toBe('تسجيل الدخول');
  expect(document.documentElement.lang).toBe('ar');
  expect(document.documentElement.dir).toBe('rtl');
});

test('a request that has already been started is used', async () => {
  await loadLanguage('de', {
    begun: Promise.resolve(Response.json({ login: { heading: heading['de'] } })),
  });
  expect(requireLanguage().t('login.heading')).toBe('Anmelden');
  expect(waiting.size).toBe(0);
});

test('the last selected language is shown, whichever file arrives last', async () => {
  const first = switchLanguage('de');
  const second = switchLanguage('en');
  answer('en');
  answer('de');
  await Promise.all([first, second]);
  expect(document.documentElement.lang).toBe('en');
  expect(findStoredLocale()).toBe('en');
});

test('a file that cannot be loaded keeps the previous language and stores nothing', async () => {
  await loadLanguage('de', {
    begun: Promise.resolve(Response.json({ login: { heading: heading['de'] } })),
  });
  const failing = switchLanguage('ar');
  waiting.get('ar')?.(new Response('no such file', { status: 404 }));
  await expect(failing).rejects.toThrow('could not be loaded');
  expect(document.documentElement.lang).toBe('de');
  expect(findStoredLocale()).not.toBe('ar');
});

test('a missing text throws during development', async () => {
  await loadLanguage('de', { begun: Promise.resolve(Response.json({})) });
  expect(() => requireLanguage().t('login.heading')).toThrow('login.heading in de');
});

test('a group of texts is loaded alone, and stays when another language was requested meanwhile', async () => {
  showLanguage('de', { login: { heading: 'Anmelden' } });
  const loading = loadTexts('passkey');
  expect([...waiting.keys()]).toEqual(['passkey/de']);
  const failing = switchLanguage('ar');
  waiting.get('ar')?.(new Response('no such file', { status: 404 }));
  waiting.get('passkey/ar')?.(Response.json({}));
  await expect(failing).rejects.toThrow('could not be loaded');
  waiting.get('passkey/de')?.(Response.json({ passkey: { heading: 'Passkey erstellen' } }));
  await loading;
  expect(requireLanguage().t('passkey.heading')).toBe('Passkey erstellen');
  expect(requireLanguage().t('login.heading')).toBe('Anmelden');
});

test('a group of texts that is needed during a switch is loaded in the new language', async () => {
  showLanguage('de', {});
  const switching = switchLanguage('en');
  answer('en');
  waiting.get('passkey/en')?.(Response.json({}));
  const loading = loadTexts('account');
  await switching;
  waiting.get('en')?.(Response.json({ login: { heading: heading['en'] } }));
  waiting.get('passkey/en')?.(Response.json({}));
  waiting.get('account/en')?.(Response.json({ account: { heading: 'Your account' } }));
  await loading;
  expect(requireLanguage().t('account.heading')).toBe('Your account');
});
