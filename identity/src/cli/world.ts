import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AdminContext } from '../admin/context.ts';
import { RefusedError } from '../admin/problems.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-errors.ts';

/** What a command runs in; tests pass a database of their own and capture the terminal. */
export type World = {
  terminal: Terminal;
  /** Opened when a command first needs it, so that help does without. */
  open: () => Promise<AdminContext>;
  /** Relative file names start here. */
  startedIn: string;
};

/** Options that every command has. */
export type CommonOptions = { json?: boolean; input?: boolean };

/** Whether missing values may be asked for. */
export function mayAsk({ terminal }: World, { input = true }: CommonOptions): boolean {
  return terminal.canAsk && input;
}

/** The text of a pipe without the line break at its end. A text longer than `longest` is cut: an endless pipe must not fill the memory. */
export async function readPiped({ terminal }: World, longest: number): Promise<string> {
  let text = '';
  for await (const chunk of terminal.input) {
    text += String(chunk);
    if (text.length > longest) break;
  }
  return text.replace(/\r?\n$/, '');
}

/** @throws RefusedError for a file that is missing or larger than 512 KiB */
export async function readSmallFile({ startedIn }: World, file: string): Promise<string> {
  const bytes = await readFile(resolve(startedIn, file)).catch((error: unknown) => {
    throw new RefusedError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  });
  if (bytes.length > 512 * 1024) throw new RefusedError(`${file} is too large`);
  return bytes.toString('utf8');
}

/** @throws UsageError unless it is a positive whole number */
export function parseLimit(limit: string | undefined): number | undefined {
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError('--limit must be a whole number from 1');
  return limit === undefined ? undefined : Number(limit);
}
