import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AdminContext } from '../admin/context.ts';
import { RefusedError } from '../admin/problems.ts';
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

/** Reads standard input without its final line break. Stops soon after `maximumLength`, so that an endless pipe cannot exhaust the memory. */
export async function readPiped({ terminal }: CliContext, maximumLength: number): Promise<string> {
  let text = '';
  for await (const chunk of terminal.input) {
    text += String(chunk);
    if (text.length > maximumLength) break;
  }
  return text.replace(/\r?\n$/, '');
}

/** @throws RefusedError if the file cannot be read or is larger than 512 KiB */
export async function readSmallFile({ startedIn }: CliContext, file: string): Promise<string> {
  const bytes = await readFile(resolve(startedIn, file)).catch((error: unknown) => {
    throw new RefusedError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  });
  if (bytes.length > 512 * 1024) throw new RefusedError(`${file} is too large`);
  return bytes.toString('utf8');
}

/** @throws UsageError unless it is a positive whole number */
export function parseLimit(limit: string | undefined): number | undefined {
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError('--limit must be a positive whole number');
  return limit === undefined ? undefined : Number(limit);
}
