import { RefusedError } from '../../admin/problems.ts';

/**
 * Bytes as text, chunk by chunk. A byte order mark is left out; what is not UTF-8 is refused, because a name with the wrong
 * letters would be found by nobody who looks for it.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      const reason = 'the file is not UTF-8 (in Excel: save it as "CSV UTF-8")';
      throw new RefusedError([{ line, reason }]);
    }
  };
  for await (const chunk of chunks) {
    const decoded = decode(chunk);
    line += decoded.split('\n').length - 1;
    if (decoded !== '') yield decoded;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}
