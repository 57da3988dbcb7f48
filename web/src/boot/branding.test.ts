// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { brand } from '../ui/brand.ts';
import { applyBranding } from './branding.ts';

beforeEach(() => {
  Object.assign(brand, { productName: 'Anteroom', logo: 'mark' });
  document.documentElement.removeAttribute('style');
});

const accent = (): string => document.documentElement.style.getPropertyValue('--accent');

test('a product name is taken as text, and no longer than there is room for', async () => {
  await applyBranding({ productName: `  ${'Harbor '.repeat(20)}` });
  expect(brand.productName).toHaveLength(50);
});

test('an empty name leaves ours', async () => {
  await applyBranding({ productName: '   ' });
  expect(brand.productName).toBe('Anteroom');
});

test('an accent reaches both colour schemes', async () => {
  await applyBranding({ accentColour: '#6a1b9a' });
  expect(accent()).toMatch(/^light-dark\(#6a1b9a, #[0-9a-f]{6}\)$/);
});

test.each(['red', '#fff', 'url(https://evil.example)', '#123456;--surface:#000'])(
  'what is no colour, %s, sets nothing',
  async (accentColour) => {
    await applyBranding({ accentColour });
    expect(accent()).toBe('');
  },
);

test.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', '//evil.example/logo.svg', '/\\evil.example'])(
  'a logo at %s is left out, and our mark with it where the name is another',
  async (logoUrl) => {
    await applyBranding({ logoUrl });
    expect(brand.logo).toBe('mark');
    await applyBranding({ productName: 'Harbor Boards', logoUrl });
    expect(brand.logo).toBeUndefined();
  },
);
