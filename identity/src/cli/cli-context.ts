import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AdminContext } from '../admin/admin-context.ts';
import { RefusedError } from '../admin/problems.ts';
import { hasControlCharacter } from '../lib/control-characters.ts';
import { decodeUtf8 } from '../lib/decode-utf8.ts';
import type { Terminal } from './terminal.ts';

/** The environment of a command. Tests pass their own database and capture the terminal. */
export type CliContext = {
  terminal: Terminal;
  /** Opens the database on the first call, so that help works without it. */
  open: () => Promise<AdminContext>;
  /** The directory from which relative file names are resolved. */
  startedIn: string;
};

/** Options of every command. */
export type CommonOptions = { json?: boolean; input?: boolean };

/** Invalid usage: an option or argument is missing or wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether the command may prompt for missing values. */
export function mayAsk({ terminal }: CliContext, { input = true }: CommonOptions): boolean {
  return terminal.canAsk && input;
}

/**
 * Reads a secret from standard input without its final line break. The length is limited, so that an endless pipe cannot
 * exhaust the memory.
 * @throws RefusedError for text that was certainly not meant
 */
export async function readPiped(
  { terminal }: CliContext,
  column: 'password' | 'secret',
  maximumLength: number,
): Promise<string> {
  const refuse = (reason: string): never => {
    throw new RefusedError([{ column, reason: `standard input ${reason}` }]);
  };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of terminal.input) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maximumLength) refuse(`has more than ${maximumLength} bytes`);
  }
  const decoded = decodeUtf8(Buffer.concat(chunks));
  const text = 'text' in decoded ? decoded.text.replace(/\r?\n$/, '') : refuse(decoded.fault);
  if (/[\r\n]/.test(text)) refuse('has more than one line');
  if (hasControlCharacter(text)) refuse('has a control character');
  return text;
}

/** @throws RefusedError if the file cannot be read or is larger than 512 KiB */
export async function readSmallFile({ startedIn }: CliContext, file: string): Promise<string> {
  const bytes = await readFile(resolve(startedIn, file)).catch((error: unknown) => {
    throw new RefusedError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  });
  if (bytes.length > 512 * 1024) throw new RefusedError(`${file} is too large`);
  const decoded = decodeUtf8(bytes);
  if ('fault' in decoded) throw new RefusedError(`${file} ${decoded.fault}`);
  return decoded.text;
}

/** @throws UsageError unless it is a positive whole number */
export function parseLimit(limit: string | undefined): number | undefined {
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError('--limit must be a positive whole number');
  return limit === undefined ? undefined : Number(limit);
}
