import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { codeSmsText } from './code-sms.ts';
import { textsIn } from './text-catalogue.ts';

const facts = { code: '048213', minutes: 10, publicUrl: 'https://eu.id.example' } as const;
/** GSM 03.38 without its extension: what is outside makes a message of 16-bit characters. */
const gsm = /^[A-Za-z0-9 @£$¥èéùìòÇ\nØøÅå_ÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà]*$/;

test('the last line binds the code to the host, in every language (autofill on one device)', () => {
  for (const language of supportedLocales) {
    expect(
      codeSmsText({ ...facts, language })
        .split('\n')
        .at(-1),
    ).toBe('@eu.id.example #048213');
  }
});

test('in English it is one message of the plain alphabet', () => {
  const text = codeSmsText({ ...facts, language: 'en', publicUrl: 'https://sign-in.eu.id.boards.example' });
  expect(text).toMatch(gsm);
  expect(text.length).toBeLessThanOrEqual(160);
});

test('in Arabic the digits are isolated from left to right', () => {
  const text = codeSmsText({ ...facts, language: 'ar' });
  expect(text).toContain('\u2066048213\u2069');
  expect(text).toContain('10 دقائق');
});

test('a language without texts of its own is spoken to in English', () => {
  expect(codeSmsText({ ...facts, language: 'ja' })).toBe(codeSmsText({ ...facts, language: 'en' }));
});

test('every rule of a password has its words, with its number', () => {
  for (const language of supportedLocales) {
    for (const [rule, text] of Object.entries(textsIn(language).passwordRules)) {
      const words = typeof text === 'function' ? text(15) : text;
      expect(words, `${language} ${rule}`).not.toBe('');
      if (typeof text === 'function') expect(words, `${language} ${rule}`).toContain('15');
    }
  }
});
