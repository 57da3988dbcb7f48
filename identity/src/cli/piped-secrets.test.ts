import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { readPiped } from './cli-context.ts';
import { createTerminal } from './terminal.ts';

function read(...chunks: Buffer[]): Promise<string> {
  const ignored = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createTerminal({ input: Readable.from(chunks), output: ignored, errors: ignored });
  return readPiped(
    { terminal, open: () => Promise.reject(new Error('unused')), startedIn: '/' },
    'secret',
    100,
  );
}

test.each([
  ['a line end', 's3cret\n'],
  ['CRLF', 's3cret\r\n'],
  ['no line end', 's3cret'],
  ['a byte order mark, as PowerShell writes it', '\ufeffs3cret\r\n'],
])('a secret from a pipe with %s is read without it', async (_what, text) => {
  expect(await read(Buffer.from(text))).toBe('s3cret');
});

test('spaces belong to the secret', async () => {
  expect(await read(Buffer.from(' two words \n'))).toBe(' two words ');
});

test('a character that two reads divide is decoded once', async () => {
  const secret = 'naïve 日本 🔑';
  expect(await read(...[...Buffer.from(secret)].map((byte) => Buffer.from([byte])))).toBe(secret);
});

test.each([
  ['UTF-16 with its mark', Buffer.from('\ufeffs3cret', 'utf16le'), 'is UTF-16, not UTF-8'],
  ['big-endian UTF-16', Buffer.from('\ufeffs3cret', 'utf16le').swap16(), 'is UTF-16, not UTF-8'],
  ['UTF-16 without a mark', Buffer.from('s3cret', 'utf16le'), 'is UTF-16, not UTF-8'],
  ['Latin-1', Buffer.from('pässwort', 'latin1'), 'is not UTF-8'],
  ['half a character', Buffer.from('s3cret é').subarray(0, -1), 'is not UTF-8'],
  ['a surrogate', Buffer.from([0x73, 0xed, 0xa0, 0x80]), 'is not UTF-8'],
  ['two lines', Buffer.from('s3cret\nsecond\n'), 'has more than one line'],
  ['two line ends', Buffer.from('s3cret\n\n'), 'has more than one line'],
  ['a carriage return', Buffer.from('s3cret\rsecond'), 'has more than one line'],
  ['NUL', Buffer.from('s3cr\0et'), 'has a control character'],
  ['an endless pipe', Buffer.alloc(101, 'x'), 'has more than 100 bytes'],
])('%s is refused with the reason', async (_what, bytes, reason) => {
  await expect(read(bytes)).rejects.toMatchObject({
    problems: [{ column: 'secret', reason: `standard input ${reason}` }],
  });
});
