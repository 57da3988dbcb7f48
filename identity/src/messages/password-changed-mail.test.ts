import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { passwordChangedMail } from './password-changed-mail.ts';

const at = new Date('2026-02-01T21:04:00Z');
const mails = supportedLocales.map((language) => ({
  language,
  ...passwordChangedMail({ to: 'someone@demo.example', at, language }),
}));

test('the notice about a changed password has words of its own in every language', () => {
  expect(new Set(mails.map(({ subject }) => subject)).size).toBe(supportedLocales.length);
  expect(new Set(mails.map(({ text }) => text.split('\n').at(-1))).size).toBe(supportedLocales.length);
});

test('its moment is written as the language writes one, in UTC and in the digits of a clock', () => {
  for (const { language, text } of mails) {
    expect(text, language).toContain('21:04');
    expect(text, language).toContain('2026');
    expect(text, language).toMatch(/UTC|بالتوقيت العالمي|协调世界时|協定世界時/);
    expect(text, language).not.toContain('2026-02-01');
  }
  const said = (wanted: string) => mails.find(({ language }) => language === wanted)?.text;
  expect(said('en')).toContain('February 1, 2026 at 21:04');
  expect(said('de')).toContain('1. Februar 2026 um 21:04');
  expect(said('fr')).toContain('1 février 2026 à 21:04');
  expect(said('ja')).toContain('2026年2月1日 21:04');
  expect(said('ar')).toContain('فبراير');
});

test('what runs from right to left keeps the moment in one piece', () => {
  for (const { text } of mails.filter(({ language }) => language === 'ar' || language === 'he'))
    expect(text).toMatch(/\u2068[^\u2069]*21:04[^\u2069]*\u2069/);
});
