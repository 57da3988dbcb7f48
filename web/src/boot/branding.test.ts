// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { brand } from '../ui/brand.ts';
import { contrastOf, parseColour } from './accent.ts';
import { applyBranding } from './branding.ts';

// Other files share the modules.
afterEach(() => {
  Object.assign(brand, { productName: 'Anteroom', logo: 'mark' });
  document.documentElement.removeAttribute('style');
});

const accent = (): string => document.documentElement.style.getPropertyValue('--accent');

test('a product name is trimmed and cut to 50 characters', async () => {
  await applyBranding({ productName: `  ${'Harbor '.repeat(20)}` });
  expect(brand.productName).toHaveLength(50);
});

test('an empty name keeps the default name', async () => {
  await applyBranding({ productName: '   ' });
  expect(brand.productName).toBe('Anteroom');
});

test('an accent applies to both colour schemes', async () => {
  await applyBranding({ accentColour: '#6a1b9a' });
  expect(accent()).toMatch(/^light-dark\(#6a1b9a, #[0-9a-f]{6}\)$/);
});

test('an accent is readable on the surfaces of a theme', async () => {
  const styles = document.createElement('style');
  styles.textContent =
    ':root{--paper:#333333;--surface:#222222;--raised:#222}@media (prefers-color-scheme:dark){:root{--surface:#000}}';
  document.head.append(styles);
  await applyBranding({ accentColour: '#6a1b9a' });
  styles.remove();
  const [light] = /#[0-9a-f]{6}/.exec(accent()) ?? [];
  expect(contrastOf(parseColour(light)!, [0x33, 0x33, 0x33])).toBeGreaterThanOrEqual(4.5);
});

test.each(['red', '#fff', 'url(https://evil.example)', '#123456;--surface:#000'])(
  'the invalid colour %s sets no style',
  async (accentColour) => {
    await applyBranding({ accentColour });
    expect(accent()).toBe('');
  },
);

test.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', '//evil.example/logo.svg', '/\\evil.example'])(
  'with an unsafe logo address %s, the product’s own mark is shown, and with another product name no logo at all',
  async (logoUrl) => {
    await applyBranding({ logoUrl });
    expect(brand.logo).toBe('mark');
    await applyBranding({ productName: 'Harbor Boards', logoUrl });
    expect(brand.logo).toBeUndefined();
  },
);
