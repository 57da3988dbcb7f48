import type { Picture } from './picture.ts';

/**
 * How much a picture may differ from the recorded one.
 * - `same`: made by the same major version of the browser, which renders letters identically. The palette can change a
 *   channel by 12 of 255, and 32 pixels are less than one letter.
 * - `other`: made by another major version, which can render the edges of letters differently and shift letters by a
 *   fraction of a pixel. Compares the mean of squares of 8 pixels, which such edges hardly change, but a shift by 4
 *   pixels or another colour does.
 */
export const tolerances = {
  same: { channelDifference: 12, pixels: 32 },
  other: { squarePixels: 8, meanDifference: 28, squaresPerMille: 2, sizePixels: 2 },
} as const;

export type Closeness = keyof typeof tolerances;

/** Describes the difference for the failure message; undefined if there is none. */
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
