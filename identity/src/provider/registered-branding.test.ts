import { expect, test } from 'vitest';
import { brandingOf } from './clients-store.ts';

test('the page gets only the known members of a registered branding', () => {
  const branding = { productName: 'Harbor Boards', accentColour: '#6a1b9a' };
  expect(brandingOf({ branding: { ...branding, font: 'Comic Sans' } })).toEqual(branding);
});

test.each([{}, { branding: 'Harbor' }, { branding: { productName: 7 } }, { branding: null }])(
  'a registration without valid branding has none: %j',
  (metadata) => {
    expect(brandingOf(metadata)).toBeUndefined();
  },
);
