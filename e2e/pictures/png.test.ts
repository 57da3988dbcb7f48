import { expect, test } from 'vitest';
import { tolerances } from './compare.ts';
import type { Picture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

function drawn(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Picture {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) pixels.set(colour(x, y), (y * width + x) * 3);
  return { width, height, pixels };
}

test('a picture of up to 256 colours is stored unchanged', () => {
  const picture = drawn(16, 16, (x, y) => [x * 16, y * 16, 200]);
  expect(decodePng(encodePng(picture))).toEqual(picture);
});

test('a picture of more colours changes each by no more than the comparison tolerates', () => {
  const picture = drawn(64, 64, (x, y) => [x * 4, 255 - x * 4, Math.floor(y / 32)]);
  const kept = decodePng(encodePng(picture));
  const differences = picture.pixels.map((value, index) => Math.abs(value - (kept.pixels[index] ?? 0)));
  expect(Math.max(...differences)).toBeLessThanOrEqual(tolerances.same.channelDifference);
});

test('a file that is no PNG is rejected', () => {
  expect(() => decodePng(Buffer.from('GIF89a'))).toThrow('This is no PNG.');
});
