import { harmlessText } from './list-formats.ts';
import type { CommonOptions, World } from '../world.ts';

/** One thing with everything that is known of it, a line for each member. */
export async function printRecord(
  { terminal }: World,
  record: Readonly<Record<string, unknown>>,
  { json }: CommonOptions,
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify(record));
    return;
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  for (const [name, value] of Object.entries(record)) {
    const values = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const [index, one] of values.entries())
      await terminal.print(`${(index === 0 ? name : '').padEnd(width)}  ${said(one)}`.trimEnd());
  }
}

function said(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return harmlessText(typeof value === 'string' ? value : JSON.stringify(value));
}
