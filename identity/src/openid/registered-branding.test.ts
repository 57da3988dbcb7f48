import { expect, test } from 'vitest';
import { brandingOf } from './registered-branding.ts';

test('a registered brand goes to the page, its known members alone', () => {
  const branding = { productName: 'Harbor Boards', accentColour: '#6a1b9a' };
  expect(brandingOf({ branding: { ...branding, font: 'Comic Sans' } })).toEqual(branding);
});

test.each([{}, { branding: 'Harbor' }, { branding: { productName: 7 } }, { branding: null }])(
  'a registration without a brand that can be read has none: %j',
  (metadata) => {
    expect(brandingOf(metadata)).toBeUndefined();
  },
);
