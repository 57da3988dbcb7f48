import { expect, test } from 'vitest';
import { iconAddress, iconNames } from './Icon.tsx';

test('there is exactly one file for each icon name', () => {
  const files = Object.keys(import.meta.glob('../../../public/assets/icons/*'));
  expect(files.map((path) => path.replace(/.*\//, '')).toSorted()).toEqual(
    iconNames.map((name) => `${name}.svg`),
  );
});

test('the address of an icon contains the version [7.10]', () => {
  expect(iconAddress('chevron')).toMatch(/^\/(?:ui\/)?assets\/icons\/chevron\.svg\?v=\d+\.\d+\.\d+$/);
});
