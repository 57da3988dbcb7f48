import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentFor, contrastOf, parseColour, schemes } from './accent.ts';

const channel = fc.integer({ min: 0, max: 255 });
const colour = fc.tuple(channel, channel, channel);

test('contrast follows WCAG 2: 21 for black on white, 4.5 for #767676 on white', () => {
  expect(contrastOf([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrastOf([0x76, 0x76, 0x76], [255, 255, 255])).toBeCloseTo(4.54, 2);
});

describe.each(['light', 'dark'] as const)('in the %s scheme', (name) => {
  const scheme = schemes[name];

  test('links and buttons have enough contrast for any requested colour', () => {
    fc.assert(
      fc.property(colour, (wished) => {
        const { accent, accentStrong, accentSoft, onAccent } = accentFor(wished, scheme);
        const grounds = [...scheme.surfaces, accentSoft];
        for (const ground of grounds) {
          expect(contrastOf(accent, ground)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(accentStrong, ground)).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(accentStrong, onAccent)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

test('a colour with enough contrast does not change', () => {
  expect(accentFor([0x14, 0x50, 0x5c], schemes.light).accent).toEqual([0x14, 0x50, 0x5c]);
});

test.each([
  'red',
  '#12345',
  '#1234567',
  '#12345g',
  'rgb(1,2,3)',
  '#123456;background:url(https://evil.example)',
  ' #123456',
  '#123456\n',
  '',
  undefined,
])('%s is not a colour', (text) => {
  expect(parseColour(text)).toBeUndefined();
});

test('a colour is parsed in upper and lower case', () => {
  expect(parseColour('#A0b1C2')).toEqual([0xa0, 0xb1, 0xc2]);
});
