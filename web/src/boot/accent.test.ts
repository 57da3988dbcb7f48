import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentFor, contrastOf, parseColour, schemes } from './accent.ts';

const channel = fc.integer({ min: 0, max: 255 });
const colour = fc.tuple(channel, channel, channel);

test('contrast is that of WCAG 2: black on white 21, grey #767676 on white just 4.5', () => {
  expect(contrastOf([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrastOf([0x76, 0x76, 0x76], [255, 255, 255])).toBeCloseTo(4.54, 2);
});

describe.each(['light', 'dark'] as const)('in the %s scheme', (name) => {
  const scheme = schemes[name];

  test('whatever colour is wished for, links and buttons can be read', () => {
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

test('a colour that can be read stays as it is', () => {
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
])('%s is no colour', (text) => {
  expect(parseColour(text)).toBeUndefined();
});

test('a colour is read in either case', () => {
  expect(parseColour('#A0b1C2')).toEqual([0xa0, 0xb1, 0xc2]);
});
