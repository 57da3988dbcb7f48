import { expect, test } from 'vitest';
import { iconAddress, iconNames } from './Icon.tsx';

test('there is one file for each icon that can be named and no other', () => {
  const files = Object.keys(import.meta.glob('../../../public/assets/icons/*'));
  expect(files.map((path) => path.replace(/.*\//, '')).toSorted()).toEqual(
    iconNames.map((name) => `${name}.svg`),
  );
});

test('an icon is asked for by its name with the version', () => {
  expect(iconAddress('chevron')).toMatch(/^\/(?:ui\/)?assets\/icons\/chevron\.svg\?v=\d+\.\d+\.\d+$/);
});
