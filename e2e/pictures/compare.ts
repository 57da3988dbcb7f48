import type { Picture } from './picture.ts';

/**
 * How closely a picture has to be like the one of the record.
 * - `same`: made by the same major version of the browser. Letters are drawn alike to the pixel; 12 of 255 is what rounding to a palette may
 *   change in a channel, and 32 pixels are less than one letter.
 * - `other`: another major may draw the edges of letters otherwise, and a letter a fraction of a pixel farther. Squares of 8 pixels are compared
 *   by their mean, which such edges hardly change; what stands elsewhere, by 4 pixels or more, or has another colour, changes it much.
 */
export const tolerances = {
  same: { channelDifference: 12, pixels: 32 },
  other: { squarePixels: 8, meanDifference: 28, squaresPerMille: 2, sizePixels: 2 },
} as const;

export type Closeness = keyof typeof tolerances;

/** What is unlike, in words for the one who reads the failure; undefined when nothing is. */
export function findDifference(recorded: Picture, taken: Picture, closeness: Closeness): string | undefined {
  const allowedSize = closeness === 'same' ? 0 : tolerances.other.sizePixels;
  const isAnotherSize =
    Math.abs(recorded.width - taken.width) > allowedSize ||
    Math.abs(recorded.height - taken.height) > allowedSize;
  if (isAnotherSize)
    return `It is ${taken.width} × ${taken.height} pixels and was ${recorded.width} × ${recorded.height}.`;
  return closeness === 'same' ? findPixels(recorded, taken) : findSquares(recorded, taken);
}

function findPixels(recorded: Picture, taken: Picture): string | undefined {
  const { channelDifference, pixels } = tolerances.same;
  const found = new Set<number>();
  for (const [index, value] of recorded.pixels.entries())
    if (Math.abs(value - (taken.pixels[index] ?? 0)) > channelDifference) found.add(Math.floor(index / 3));
  if (found.size <= pixels) return undefined;
  const [first = 0] = found;
  return `${found.size} pixels are unlike, the first at ${first % taken.width}, ${Math.floor(first / taken.width)}.`;
}

function findSquares(recorded: Picture, taken: Picture): string | undefined {
  const { squarePixels, meanDifference, squaresPerMille } = tolerances.other;
  const columns = Math.floor(Math.min(recorded.width, taken.width) / squarePixels);
  const rows = Math.floor(Math.min(recorded.height, taken.height) / squarePixels);
  const found: string[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const [before, now] = [meanOf(recorded, column, row), meanOf(taken, column, row)];
      const isUnlike = before.some((mean, channel) => Math.abs(mean - (now[channel] ?? 0)) > meanDifference);
      if (isUnlike) found.push(`${column * squarePixels}, ${row * squarePixels}`);
    }
  if (found.length <= (columns * rows * squaresPerMille) / 1000) return undefined;
  return `${found.length} squares of ${squarePixels} pixels are unlike, the first at ${found[0] ?? ''}.`;
}

/** The mean of each channel in one square. */
function meanOf({ pixels, width }: Picture, column: number, row: number): readonly number[] {
  const { squarePixels } = tolerances.other;
  const sums = [0, 0, 0];
  for (let y = row * squarePixels; y < (row + 1) * squarePixels; y += 1)
    for (let x = column * squarePixels; x < (column + 1) * squarePixels; x += 1)
      for (const channel of sums.keys())
        sums[channel] = (sums[channel] ?? 0) + (pixels[(y * width + x) * 3 + channel] ?? 0);
  return sums.map((sum) => sum / squarePixels ** 2);
}
