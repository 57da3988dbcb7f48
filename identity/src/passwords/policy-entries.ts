/** Normalises case and look-alike characters of other keyboards. */
export function foldPassword(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Hashes a folded entry to a number of 53 bits (cyrb53, public domain). A collision only makes one more password
 * unavailable, and fewer than one in 10^10 unlisted texts collides.
 */
export function entryOf(folded: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < folded.length; at += 1) {
    const unit = folded.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 2 ** 32 * (0x1fffff & low) + (high >>> 0);
}

/** Sorted unique entries, 8 bytes each. */
export function packEntries(entries: ReadonlySet<number>): Float64Array<ArrayBuffer> {
  return Float64Array.from(entries).sort();
}

export function hasEntry(packed: Float64Array, folded: string): boolean {
  const wanted = entryOf(folded);
  let from = 0;
  let to = packed.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = packed[middle] ?? 0;
    if (entry === wanted) return true;
    if (entry < wanted) from = middle + 1;
    else to = middle;
  }
  return false;
}
