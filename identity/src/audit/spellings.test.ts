import { expect, test } from 'vitest';
import { spellingsOf } from '../../testing/spellings.ts';

const secret = 'Marked-password-ä 1+/&"';

test.each<[string, string]>([
  ['as it is', `x ${secret} y`],
  ['in an address', `https://x.example/?a=${encodeURIComponent(secret)}`],
  ['in a form', new URLSearchParams({ a: secret }).toString()],
  ['in JSON', JSON.stringify({ a: secret })],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ...['', 'a', 'ab', 'abc'].flatMap((before): [string, string][] => [
    [`in base64 behind ${before.length} bytes`, Buffer.from(`${before}${secret}z`).toString('base64')],
    [`in base64url behind ${before.length} bytes`, Buffer.from(`${before}${secret}`).toString('base64url')],
  ]),
])('finds a secret that is stored %s [S64]', (_where, text) => {
  expect(spellingsOf(secret).some((spelling) => text.includes(spelling))).toBe(true);
  expect(spellingsOf('Another-marked-secret').some((spelling) => text.includes(spelling))).toBe(false);
});
