import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { codeSmsText } from './code-sms.ts';
import { passwordRuleText, textsIn } from './text-catalogue.ts';
import type { PasswordRuleTexts } from './texts.ts';

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

const longest = { ...facts, publicUrl: 'https://sign-in.eu.id.boards.example' };

test.each(['en', 'de', 'fr', 'it', 'nl'] as const)('%s: one message of the plain alphabet', (language) => {
  const text = codeSmsText({ ...longest, language });
  expect(text).toMatch(gsm);
  expect(text.length).toBeLessThanOrEqual(160);
});

test.each(['es', 'pt', 'zh', 'ja', 'ar', 'he'] as const)(
  '%s: two messages at most, in letters that the plain alphabet does not have',
  (language) => {
    // 67 characters of 16 bits in each part of a longer message (3GPP TS 23.040, 9.2.3.24.1)
    expect(codeSmsText({ ...longest, language }).length).toBeLessThanOrEqual(2 * 67);
  },
);

test('in Arabic the digits are isolated from left to right', () => {
  const text = codeSmsText({ ...facts, language: 'ar' });
  expect(text).toContain('\u2066048213\u2069');
  expect(text).toContain('10 دقائق');
});

test('every language has words of its own for the code, with code and minutes', () => {
  const said = supportedLocales.map((language) => codeSmsText({ ...facts, language }));
  expect(new Set(said).size).toBe(supportedLocales.length);
  for (const text of said) expect(text).toMatch(/048213[^]*048213/);
  for (const text of said) expect(text).toContain('10');
});

test('every rule of a password has words of its own in every language, with its number', () => {
  const rules = Object.keys(textsIn('en').passwordRules) as (keyof PasswordRuleTexts)[];
  for (const language of supportedLocales) {
    for (const [rule, text] of Object.entries(textsIn(language).passwordRules)) {
      const words = typeof text === 'function' ? text(15) : text;
      expect(words, `${language} ${rule}`).not.toBe('');
      if (typeof text === 'function') expect(words, `${language} ${rule}`).toContain('15');
    }
  }
  const first = (rule: (typeof rules)[number]) =>
    new Set(supportedLocales.map((language) => passwordRuleText(language, rule, 3)));
  for (const rule of rules) expect(first(rule).size, rule).toBe(supportedLocales.length);
});
