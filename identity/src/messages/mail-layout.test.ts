import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { asMoment, layOutMail } from './mail-layout.ts';

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>\r\nBcc: all\u202e`;

test('names and links with markup are escaped in the HTML [S07]', () => {
  const { html, text } = layOutMail(
    'Subject',
    [{ text: evil }, { rows: [[evil, evil]] }, { label: evil, link: `https://x.example/${evil}` }],
    { language: 'en', productName: evil, organisation: evil, supportUrl: 'https://help.example/?a=1&b="2"' },
  );
  expect(html).not.toMatch(/<script|<img|"onerror|href="[^"]*[<>]/);
  expect(html).toContain('href="https://help.example/?a=1&amp;b=');
  const [header = ''] = /<strong>[^]*?<\/td>/.exec(html) ?? [];
  expect(header).not.toMatch(/[\r\n\u202e]/);
  expect(text.split('\n').filter((line) => line.startsWith('Bcc:'))).toHaveLength(5);
});

test('the HTML loads nothing, declares its language and direction, and supports dark mode', () => {
  const page = (language: 'en' | 'ar' | 'he') => layOutMail('Subject', [], { language }).html;
  expect(page('en')).toContain('<html lang="en" dir="ltr">');
  for (const language of ['ar', 'he'] as const)
    expect(page(language)).toContain(`<html lang="${language}" dir="rtl">`);
  expect(page('en')).toContain('prefers-color-scheme: dark');
  expect(page('en')).not.toMatch(/\b(?:src|background)=|url\(|@import|<link/);
});

test('the text and the HTML have the same content', () => {
  const { html, text } = layOutMail(
    'Your sites',
    [
      { text: 'One' },
      { rows: [['Harbor Trust', 'harbor']] },
      { label: 'Sign in', link: 'https://x.example/' },
    ],
    { language: 'en', productName: 'Boards' },
  );
  expect(text).toBe('One\n\n- Harbor Trust: harbor\n\nSign in\nhttps://x.example/\n\nBoards\n');
  for (const part of ['One', 'Harbor Trust', 'harbor', 'Sign in', 'https://x.example/', 'Boards'])
    expect(html).toContain(part);
});

test.each(supportedLocales)('%s: a time names its zone in words, never as an offset', (language) => {
  const at = new Date('2026-11-26T20:33:00Z');
  for (const timeZone of ['Europe/Zurich', 'Asia/Dubai', 'Asia/Tokyo', 'America/New_York', 'UTC']) {
    const moment = asMoment(at, language, timeZone);
    expect(moment, timeZone).toMatch(/\d\d[:.]33/);
    expect(moment, timeZone).not.toMatch(/[+\u2212]\d/);
  }
});
