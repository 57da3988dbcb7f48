import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * An entry is the first 6 bytes of a hash. A collision only makes one more password unavailable, and fewer than one in
 * 10^8 unlisted texts collides.
 */
const entryBytes = 6;

/** Normalises case and look-alike characters of other keyboards. */
export function foldPassword(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function entryOf(folded: string): number {
  return hash('sha256', folded, 'buffer').readUIntBE(0, entryBytes);
}

/** Packs the entries of texts, sorted and unique. */
export function packTexts(texts: Iterable<string>): Buffer {
  return pack(new Set(Array.from(texts, (text) => entryOf(foldPassword(text)))));
}

/** Packs a file with one text per line. Other requests are served while it is read. */
export async function packLines(file: string): Promise<Buffer> {
  const entries = new Set<number>();
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    if (line !== '') entries.add(entryOf(foldPassword(line)));
  return pack(entries);
}

function pack(entries: ReadonlySet<number>): Buffer {
  const packed = Buffer.alloc(entries.size * entryBytes);
  Float64Array.from(entries)
    .sort()
    .forEach((entry, index) => packed.writeUIntBE(entry, index * entryBytes, entryBytes));
  return packed;
}

export const countEntries = (packed: Buffer): number => packed.length / entryBytes;

export function hasEntry(packed: Buffer, folded: string): boolean {
  const wanted = entryOf(folded);
  let from = 0;
  let to = countEntries(packed);
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = packed.readUIntBE(middle * entryBytes, entryBytes);
    if (entry === wanted) return true;
    if (entry < wanted) from = middle + 1;
    else to = middle;
  }
  return false;
}
