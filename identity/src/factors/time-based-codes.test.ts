import { describe, expect, test } from 'vitest';
import { codeOfStep, findStep, stepAt, toBase32 } from './time-based-codes.ts';

// The test secret of RFC 4226, appendix D, and RFC 6238, appendix B.
const secret = Buffer.from('12345678901234567890');

describe('the code of an authenticator app', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('matches RFC 6238 at %i seconds', (seconds, code) => {
    expect(codeOfStep(secret, stepAt(new Date(seconds * 1000)))).toBe(code);
  });

  test('is accepted at most one time step early or late', () => {
    const now = new Date('2026-01-15T09:00:10Z');
    const present = stepAt(now);
    const found = [-2, -1, 0, 1, 2].map((offset) =>
      findStep(secret, codeOfStep(secret, present + offset), now),
    );
    expect(found).toEqual([undefined, present - 1, present, present + 1, undefined]);
  });

  test('has a secret in the base 32 encoding of RFC 4648', () => {
    expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  });
});
