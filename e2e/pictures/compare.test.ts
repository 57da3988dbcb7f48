import { describe, expect, test } from 'vitest';
import { findDifference } from './compare.ts';
import type { Picture } from './picture.ts';
import { findRecorded, listRecorded } from './record.ts';
import { nameOfShot, shots } from './shots.ts';

function requireRecorded(name: string): Picture {
  const found = findRecorded(name);
  if (!found) throw new Error(`The record has no ${name}.`);
  return found;
}

const recorded = requireRecorded('credentials-wrong.en.light.1280');

/** Redraws a picture. `from` returns the pixels whose colours a pixel mixes, each with its share. */
function redrawn(
  { width, height, pixels }: Picture,
  from: (x: number, y: number) => readonly { x: number; y: number; part: number }[],
): Picture {
  const drawn = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1)
        drawn[(y * width + x) * 3 + channel] = from(x, y).reduce(
          (sum, source) =>
            sum +
            source.part *
              (pixels[
                (Math.min(height - 1, Math.max(0, source.y)) * width +
                  Math.min(width - 1, Math.max(0, source.x))) *
                  3 +
                  channel
              ] ?? 0),
          0,
        );
  return { width, height, pixels: drawn };
}

/** The letters as another version of the browser renders them, with wider edges. */
const withOtherEdges = redrawn(recorded, (x, y) => [
  { x, y, part: 0.7 },
  { x: x + 1, y, part: 0.3 },
]);

/** The lower half is four pixels lower. */
const withOtherLayout = redrawn(recorded, (x, y) => [{ x, y: y > recorded.height / 2 ? y - 4 : y, part: 1 }]);

describe.each(['same', 'other'] as const)('compared with the %s version of the browser', (closeness) => {
  test('a picture equals itself', () => {
    expect(findDifference(recorded, recorded, closeness)).toBeUndefined();
  });

  test('a layout that is off by four pixels is a difference', () => {
    expect(findDifference(recorded, withOtherLayout, closeness)).toMatch(/unlike/);
  });

  test('a button of another colour is a difference', () => {
    const accent = [0x14, 0x50, 0x5c];
    const repainted: Picture = { ...recorded, pixels: Uint8Array.from(recorded.pixels) };
    for (let at = 0; at < repainted.pixels.length; at += 3)
      if (accent.every((value, channel) => Math.abs(value - (repainted.pixels[at + channel] ?? 0)) < 12))
        repainted.pixels.set([0x5c, 0x14, 0x50], at);
    expect(findDifference(recorded, repainted, closeness)).toMatch(/unlike/);
  });

  test('another size is a difference', () => {
    const { width, height, pixels } = recorded;
    const shorter: Picture = { width, height: height - 8, pixels: pixels.slice(0, width * (height - 8) * 3) };
    expect(findDifference(recorded, shorter, closeness)).toMatch(/It is/);
  });
});

test('letters with other edges are a difference with the same version of the browser, but not with another', () => {
  expect(findDifference(recorded, withOtherEdges, 'same')).toMatch(/unlike/);
  expect(findDifference(recorded, withOtherEdges, 'other')).toBeUndefined();
});

test('the record contains exactly the pictures that are taken', () => {
  expect(listRecorded()).toEqual(shots.map(nameOfShot).toSorted());
});
