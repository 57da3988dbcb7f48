import type { Picture } from './picture.ts';

/** The maximum size of a PNG palette. */
const maximumColours = 256;

export interface Indexed {
  /** Each colour as a number, 0xrrggbb. */
  colours: readonly number[];
  /** For each pixel, the index of its colour. */
  indexes: Uint8Array;
}

/**
 * Reduces a picture to the colours of a palette. Frequent colours stay unchanged. A rare colour, at the edge of a
 * letter or in the shadow of the card, is replaced by the nearest one. The largest change of a channel is as small as
 * the size of the palette allows.
 */
export function choosePalette({ pixels }: Picture): Indexed {
  const frequencies = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = colourAt(pixels, at);
    frequencies.set(colour, (frequencies.get(colour) ?? 0) + 1);
  }
  const byFrequency = [...frequencies].toSorted((one, other) => other[1] - one[1]).map(([colour]) => colour);
  for (let allowedDifference = 0; ; allowedDifference += 1) {
    const chosen = chooseColours(byFrequency, allowedDifference);
    if (!chosen) continue;
    const indexes = new Uint8Array(pixels.length / 3);
    for (const index of indexes.keys()) indexes[index] = chosen.places.get(colourAt(pixels, index * 3)) ?? 0;
    return { colours: chosen.colours, indexes };
  }
}

function colourAt(pixels: Uint8Array, at: number): number {
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
}

/**
 * Chooses palette colours so that each colour is within the difference of one of them, and maps each colour to its
 * palette index. Undefined if there would be too many palette colours.
 */
function chooseColours(
  byFrequency: readonly number[],
  allowedDifference: number,
): { colours: number[]; places: Map<number, number> } | undefined {
  const colours: number[] = [];
  const places = new Map<number, number>();
  for (const colour of byFrequency) {
    let nearest = -1;
    let nearestDifference = allowedDifference + 1;
    for (let place = 0; place < colours.length && nearestDifference > 0; place += 1) {
      const difference = differenceOf(colour, colours[place] ?? 0);
      if (difference >= nearestDifference) continue;
      nearest = place;
      nearestDifference = difference;
    }
    if (nearest === -1) nearest = colours.push(colour) - 1;
    if (colours.length > maximumColours) return undefined;
    places.set(colour, nearest);
  }
  return { colours, places };
}

/** The largest difference in any channel. */
function differenceOf(one: number, other: number): number {
  return Math.max(
    Math.abs((one >> 16) - (other >> 16)),
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)),
    Math.abs((one & 255) - (other & 255)),
  );
}
