import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { codeSmsText } from './code-sms.ts';
import { passwordRuleText, textsIn } from '../texts/catalogue.ts';
import type { PasswordRuleTexts } from '../texts/texts.ts';

const facts = {
  code: '048213',
  minutes: 10,
  productName: undefined,
  siteDisplayName: 'Northwind Group',
  publicUrl: 'https://eu.id.example',
} as const;
/** The alphabet of GSM 03.38 without its extension table. Any other character makes the message 16-bit. */
const gsm = /^[A-Za-z0-9 @£$¥èéùìòÇ\nØøÅå_ÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà]*$/;

/** The number of segments that a carrier bills (3GPP TS 23.040, 9.2.3.24.1). */
function countSegments(text: string): number {
  const [whole, part] = gsm.test(text) ? [160, 153] : [70, 67];
  return text.length <= whole ? 1 : Math.ceil(text.length / part);
}

test('every language names the product and the organisation, and the last line binds the code to the host (autofill)', () => {
  for (const language of supportedLocales) {
    const lines = codeSmsText({ ...facts, language }).split('\n');
    expect(lines[0], language).toMatch(/Anteroom.*Northwind Group|Northwind Group.*Anteroom/);
    expect(lines.at(-1)).toBe('@eu.id.example #048213');
    const withoutSite = codeSmsText({ ...facts, language, siteDisplayName: undefined });
    expect(withoutSite, language).toContain('Anteroom');
    expect(withoutSite).not.toMatch(/Northwind|undefined/);
  }
  const branded = codeSmsText({ ...facts, language: 'en', productName: 'Harbor Boards' });
  expect(branded).toMatch(/^Harbor Boards: 048213 is your sign-in code for Northwind Group\./);
});

const longest = { ...facts, publicUrl: 'https://sign-in.eu.id.boards.example' };

/** Languages whose message has only letters of the GSM alphabet, which needs fewer segments. */
const isInGsmAlphabet: Readonly<Record<Locale, boolean>> = {
  en: true,
  de: true,
  es: false,
  fr: true,
  it: true,
  nl: true,
  pt: false,
  zh: false,
  ja: false,
  ar: false,
  he: false,
};

test.each(
  supportedLocales.map((language) =>
    isInGsmAlphabet[language] ? ([language, 1, 2] as const) : ([language, 2, 3] as const),
  ),
)(
  '%s: a message has at most %i segments on a long host, and %i with the longest site name',
  (language, usual, most) => {
    const text = codeSmsText({ ...longest, language });
    expect(countSegments(text), text).toBeLessThanOrEqual(usual);
    const siteDisplayName = 'Northwind Remuneration Committee Trustees';
    expect(siteDisplayName).toHaveLength(41);
    const named = codeSmsText({ ...longest, language, siteDisplayName: siteDisplayName.slice(1) });
    expect(named).toContain('orthwind Remuneration');
    expect(countSegments(named)).toBeLessThanOrEqual(most);
  },
);

test.each([
  'https://evil.example',
  'evil.example',
  'Call +44 20 7946 0000',
  '048214',
  'Harbor\n@evil.example #048213',
  'Harbor \u202eTrust',
  'H'.repeat(41),
  '',
])('a site name such as %j is omitted from the message [S07]', (siteDisplayName) => {
  const text = codeSmsText({ ...facts, language: 'en', siteDisplayName, productName: siteDisplayName });
  expect(text).toBe(codeSmsText({ ...facts, language: 'en', siteDisplayName: undefined }));
});

test.each(['St. Mary’s & Sons (Holdings)', 'J.P. Morgan Trust', 'Zürich–Genève', '株式会社ノース・ウィンド'])(
  'a site can be named %s',
  (siteDisplayName) => {
    expect(codeSmsText({ ...facts, language: 'en', siteDisplayName })).toContain(` for ${siteDisplayName}.`);
  },
);

test('in Arabic the digits are isolated as left-to-right, and names do not affect the direction of their surroundings', () => {
  const text = codeSmsText({ ...facts, language: 'ar' });
  expect(text).toContain('\u2068Anteroom\u2069');
  expect(text).toContain('\u2068Northwind Group\u2069');
  const arabicName = codeSmsText({ ...facts, language: 'en', siteDisplayName: 'مجلس الشمال' });
  expect(arabicName).toContain('for \u2068مجلس الشمال\u2069.');
  expect(text).toContain('\u2066048213\u2069');
  expect(text).toContain('10 دقائق');
});

test('every language has its own text for the code, with code and minutes [I15]', () => {
  const said = supportedLocales.map((language) => codeSmsText({ ...facts, language }));
  expect(new Set(said).size).toBe(supportedLocales.length);
  for (const text of said) expect(text).toMatch(/048213[^]*048213/);
  for (const text of said) expect(text).toContain('10');
});

test('every language has its own text for each password rule, with its number [I15]', () => {
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
