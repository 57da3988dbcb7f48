import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program of PostgreSQL is, wherever the system keeps it; undefined where it is not installed. */
export function findPostgresProgram(name: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Runs it to its end; what it complains of is in the error. */
export function runPostgresProgram(name: string, parameters: readonly string[]): void {
  execFileSync(findPostgresProgram(name) ?? name, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
}
