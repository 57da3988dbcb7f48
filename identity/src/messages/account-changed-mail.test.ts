import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { accountChangedMail } from './account-changed-mail.ts';

const facts = {
  userName: 'ada@demo.example',
  at: new Date('2026-02-01T21:04:00Z'),
  timeZone: 'Europe/Berlin',
  browser: 'Chrome (Windows)',
  refusalLink: 'https://id.example/ui/recovery/not-me?culture=en#a-token',
};
const mails = supportedLocales.map((language) => ({
  language,
  ...accountChangedMail('password', facts, {
    language,
    organisation: 'Harbor Trust',
    supportUrl: 'https://help.example/',
  }),
}));
const mailIn = (wanted: string) => mails.find(({ language }) => language === wanted);

test('the e-mail about a changed password has its own texts in every language', () => {
  for (const part of ['subject', 'text', 'html'] as const)
    expect(new Set(mails.map((mail) => mail[part])).size).toBe(supportedLocales.length);
});

test('it contains the account, the time with zone, the browser, the organisation, the support address and the link to undo the change, as text and as HTML [I15]', () => {
  for (const { language, text, html } of mails)
    for (const part of [text, html]) {
      expect(part, language).toMatch(/22[:.]04/);
      for (const fact of [
        'ada@demo.example',
        '2026',
        'Chrome (Windows)',
        'Harbor Trust',
        'https://help.example/',
        facts.refusalLink,
      ])
        expect(part, language).toContain(fact);
    }
  expect(mailIn('en')?.text).toContain('1 February 2026 at 22:04 CET');
  expect(mailIn('de')?.text).toContain('1. Februar 2026 um 22:04 MEZ');
  expect(mailIn('ja')?.text).toContain('2026年2月1日 22:04');
  expect(mailIn('ar')?.text).toContain('فبراير');
});

test('a time in a right-to-left language is isolated from the direction of its surroundings', () => {
  expect(mailIn('ar')?.text).toMatch(/\u2068[^\u2069]*22:04[^\u2069]*\u2069/);
});

test('an unknown browser, as that of an operator, is not mentioned', () => {
  const { text } = accountChangedMail('password', { ...facts, browser: undefined }, { language: 'en' });
  expect(text).not.toContain('Browser');
});

test('each kind of change has its own texts in every language, and recovery codes are counted', () => {
  const changes = [
    'password',
    'appAdded',
    'appRemoved',
    'passkeyRemoved',
    'passkeysRemoved',
    'recoveryCodeUsed',
  ] as const;
  const texts = supportedLocales.flatMap((language) =>
    changes.map((change) => accountChangedMail(change, { ...facts, left: 7 }, { language })),
  );
  expect(new Set(texts.map(({ subject }) => subject)).size).toBe(texts.length);
  expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
  const used = supportedLocales.map((language) =>
    accountChangedMail('recoveryCodeUsed', { ...facts, left: 7 }, { language }),
  );
  for (const { text } of used) expect(text).toMatch(/[:：は] ?7/);
});
