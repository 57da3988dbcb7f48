import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { choosePalette } from './palette.ts';
import type { Picture } from './picture.ts';

// The part of Portable Network Graphics (Third Edition), W3C, that screenshots and the record need: 8 bits per sample,
// not interlaced.
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const colourTypes = { rgb: 2, palette: 3, rgba: 6 } as const;
const samplesOf: Readonly<Record<number, number>> = {
  [colourTypes.rgb]: 3,
  [colourTypes.palette]: 1,
  [colourTypes.rgba]: 4,
};

/** Decodes a PNG with 8 bits per sample: a screenshot or a recorded picture. Throws for any other file. */
export function decodePng(file: Buffer): Picture {
  const chunks = readChunks(file);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (!header) throw new Error('This is no PNG.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colourType, , , interlaced] = header.subarray(8);
  const samples = samplesOf[colourType ?? -1];
  if (depth !== 8 || samples === undefined || interlaced !== 0)
    throw new Error(`A PNG of ${depth ?? 0} bits and colour type ${colourType ?? -1} is not read here.`);
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  const lines = unfilter(inflateSync(data), width * samples, height, samples);
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data;
  const pixels = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = palette ? (lines[pixel] ?? 0) * 3 : pixel * samples;
    const source = palette ?? lines;
    for (let channel = 0; channel < 3; channel += 1)
      pixels[pixel * 3 + channel] = source[from + channel] ?? 0;
  }
  return { width, height, pixels };
}

function readChunks(file: Buffer): { type: string; data: Buffer }[] {
  if (!file.subarray(0, signature.length).equals(signature)) throw new Error('This is no PNG.');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = signature.length; at + 8 <= file.length;) {
    const length = file.readUInt32BE(at);
    chunks.push({
      type: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

/** Reverses the filter that the first byte of each line names (PNG, 9.2). */
function unfilter(filtered: Buffer, lineBytes: number, height: number, samples: number): Uint8Array {
  const lines = new Uint8Array(lineBytes * height);
  for (let line = 0; line < height; line += 1) {
    const filter = filtered[line * (lineBytes + 1)] ?? 0;
    const start = line * lineBytes;
    for (let index = 0; index < lineBytes; index += 1) {
      const raw = filtered[line * (lineBytes + 1) + 1 + index] ?? 0;
      const left = index >= samples ? (lines[start + index - samples] ?? 0) : 0;
      const up = line > 0 ? (lines[start + index - lineBytes] ?? 0) : 0;
      const upLeft = index >= samples && line > 0 ? (lines[start + index - lineBytes - samples] ?? 0) : 0;
      lines[start + index] = raw + predict(filter, left, up, upLeft);
    }
  }
  return lines;
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const [toLeft, toUp, toUpLeft] = [
        Math.abs(up - upLeft),
        Math.abs(left - upLeft),
        Math.abs(left + up - 2 * upLeft),
      ];
      if (toLeft <= toUp && toLeft <= toUpLeft) return left;
      return toUp <= toUpLeft ? up : upLeft;
    }
    default:
      return 0;
  }
}

/** Encodes a PNG with a palette, which keeps the record small. */
export function encodePng(picture: Picture): Buffer {
  const { width, height } = picture;
  const { colours, indexes } = choosePalette(picture);
  // the first byte of each line stays 0, which means no filter
  const lines = Buffer.alloc((width + 1) * height);
  for (let line = 0; line < height; line += 1)
    lines.set(indexes.subarray(line * width, (line + 1) * width), line * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourTypes.palette, 0, 0, 0], 8);
  const channels = colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(channels)),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
