import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeRedirected, decodedLimitBytes, inflatedLimitBytes } from './decode.ts';
import { requireModestMarkup } from './markup.ts';

const small = (bytes: Buffer): string => deflateRawSync(bytes).toString('base64');

test('inflating stops at 1 MB [S47]', async () => {
  await expect(decodeRedirected(small(Buffer.alloc(inflatedLimitBytes + 1, 'x')))).rejects.toMatchObject({
    reason: 'message_inflates_too_far',
  });
  await expect(decodeRedirected(small(Buffer.alloc(inflatedLimitBytes, 'x')))).rejects.toMatchObject({
    reason: 'message_too_large',
  });
  expect(await decodeRedirected(small(Buffer.alloc(decodedLimitBytes, 'x')))).toHaveLength(decodedLimitBytes);
});

test('a 200 kB message that would inflate to 200 MB uses a fraction of that memory [S47]', async () => {
  const megabyte = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  const bomb = Buffer.concat([...Array.from({ length: 200 }, () => megabyte), deflateRawSync('')]);
  expect(bomb.length).toBeLessThan(decodedLimitBytes);
  const taken = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = taken();
  await expect(decodeRedirected(bomb.toString('base64'))).rejects.toThrow(/^message_/);
  expect(taken() - before).toBeLessThan(50 * 1024 * 1024);
});

// messages of maximum length for which a backtracking parser needs quadratic time
const repeated = (part: string): string => `<r>${part.repeat(Math.floor(decodedLimitBytes / part.length))}`;
test.each([
  ['unfinished tags', repeated('<a ')],
  ['unfinished quotes', repeated('<a b="')],
  ['alternating quotes', repeated(`<a b='"`)],
  ['unfinished entities', repeated('&amp')],
  ['ampersands', repeated('&')],
  ['end tags', repeated('</a')],
  ['an unfinished declaration', `<?xml ${' '.repeat(decodedLimitBytes)}`],
])('a message of %s is rejected in one pass [S47]', (_name, xml) => {
  expect(() => requireModestMarkup(xml)).toThrow(/^message_/);
});
