import type { Outcome, Removal } from '../admin/resource.ts';
import type { Finding } from '../admin/connection-test.ts';
import { RefusedError } from '../admin/problems.ts';
import type { CommonOptions, World } from './world.ts';

// How results are printed: one entry a line as columns, JSON or CSV; one record a member a line; what was done; why not.

type ListFormat = {
  heading?: string | undefined;
  format: (entry: Readonly<Record<string, unknown>>) => string;
};

/** NDJSON, so that a long list streams; `import` reads it. */
const jsonLines: ListFormat = { format: (entry) => JSON.stringify(entry) };

function csv(fields: readonly string[]): ListFormat {
  return {
    heading: fields.join(','),
    format: (entry) => fields.map((field) => toCell(entry[field])).join(','),
  };
}

/** RFC 4180. An apostrophe before a formula makes it text in a spreadsheet (OWASP, CSV injection); `import` removes it. */
function toCell(value: unknown): string {
  const text = toText(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Columns as wide as the first entries; a longer text moves the rest of its line. */
export function columns(
  fields: readonly string[],
  firstEntries: readonly Readonly<Record<string, unknown>>[],
): ListFormat {
  const widths = fields.map((field) =>
    Math.max(field.length, ...firstEntries.map((entry) => shown(entry[field]).length)),
  );
  const toLine = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return { heading: toLine(fields), format: (entry) => toLine(fields.map((field) => shown(entry[field]))) };
}

function shown(value: unknown): string {
  return value === null || value === undefined || value === '' ? '-' : harmlessText(toText(value));
}

/** Without control characters and marks that change the direction of a line: a terminal interprets them. */
export function harmlessText(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** The first entries decide how wide the columns are; the rest streams. */
const entriesMeasured = 200;

export type ListOptions = CommonOptions & { csv?: boolean };

/** Prints entries as columns, CSV or JSON lines. */
export async function printList<Entry extends Readonly<Record<string, unknown>>>(
  { terminal }: World,
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  { json, csv: asCsv }: ListOptions,
  {
    fields,
    shown: names = fields,
    heading: hasHeading = true,
  }: { fields: readonly string[]; shown?: readonly string[] | undefined; heading?: boolean },
): Promise<void> {
  const first: Entry[] = [];
  let chosen: ListFormat | undefined;
  const begin = async (): Promise<ListFormat> => {
    const format = json === true ? jsonLines : asCsv === true ? csv(fields) : columns(names, first);
    if (format.heading !== undefined && hasHeading) await terminal.print(format.heading);
    for (const entry of first) await terminal.print(format.format(entry));
    return format;
  };
  for await (const entry of entries) {
    if (chosen !== undefined) await terminal.print(chosen.format(entry));
    else if (first.push(entry) >= entriesMeasured) chosen = await begin();
  }
  if (chosen === undefined) await begin();
}

/** Prints one record, a line for each member. */
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
    for (const [index, one] of values.entries()) {
      const text = Array.isArray(one) && one.length === 0 ? '-' : shown(one);
      await terminal.print(`${(index === 0 ? name : '').padEnd(width)}  ${text}`.trimEnd());
    }
  }
}

/**
 * Prints what was checked.
 * @throws RefusedError with what does not hold
 */
export async function printFindings(
  world: World,
  findings: readonly Finding[],
  options: CommonOptions,
): Promise<void> {
  await printList(world, findings, options, { fields: ['holds', 'what', 'seen'], heading: false });
  const failed = findings.filter(({ holds }) => !holds);
  if (failed.length === 0) return;
  const problems = failed.map(({ what, seen }) => ({ column: what, reason: seen }));
  throw new RefusedError(problems, { isPartial: true });
}

/** Prints a result as one sentence or as JSON. */
export async function printResult(
  { terminal }: World,
  sentence: string,
  result: Readonly<Record<string, unknown>>,
  { json }: CommonOptions,
): Promise<void> {
  await terminal.print(json === true ? JSON.stringify(result) : harmlessText(sentence));
}

/** Prints what was done, or with a dry run every name that would be. */
export async function printOutcome(
  { terminal }: World,
  noun: string,
  { added, changed, left }: Outcome,
  { json, dryRun = false }: CommonOptions & { dryRun?: boolean },
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify({ added, changed, left, dryRun }));
    return;
  }
  const isOne = added.length + changed.length + left.length === 1;
  if (dryRun || isOne) {
    const [add, change, leave] = dryRun ? ['add', 'change', 'leave'] : ['added', 'changed', 'left as it is'];
    for (const name of added) await terminal.print(`${add} ${harmlessText(name)}`);
    for (const { name, changes } of changed)
      await terminal.print(`${change} ${harmlessText(name)}: ${describeChanges(changes)}`);
    for (const name of left) await terminal.print(`${leave} ${harmlessText(name)}`);
  }
  const counts = `${added.length} added, ${changed.length} changed, ${left.length} left as they are`;
  if (dryRun) await terminal.print(`${noun}: ${counts} (a dry run: nothing was written)`);
  else if (!isOne) await terminal.print(`${noun}: ${counts}`);
}

export async function printRemoval(
  { terminal }: World,
  { removed, deleted, kept }: Removal,
  { json, dryRun = false }: CommonOptions & { dryRun?: boolean },
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify({ removed, deleted, kept, dryRun }));
    return;
  }
  for (const name of removed) await terminal.print(`${dryRun ? 'remove' : 'removed'} ${harmlessText(name)}`);
  for (const [what, count] of Object.entries(deleted)) await terminal.print(`  ${what}: ${count}`);
  for (const what of kept) await terminal.print(`  kept: ${what}`);
  if (dryRun) await terminal.print('a dry run: nothing was removed');
}

function describeChanges(changes: Outcome['changed'][number]['changes']): string {
  const describe = (value: unknown): string =>
    value === null || value === undefined ? 'none' : harmlessText(JSON.stringify(value));
  return Object.entries(changes)
    .map(([field, { from, to }]) => `${field} ${describe(from)} → ${describe(to)}`)
    .join(', ');
}

/** Prints every reason with its line and field; as JSON, a line each. */
export function printRefusal(
  { terminal }: Pick<World, 'terminal'>,
  { problems, count, isPartial }: RefusedError,
  { json }: CommonOptions,
): void {
  if (json === true) {
    for (const problem of problems) terminal.note(JSON.stringify(problem));
    terminal.note(JSON.stringify({ problems: count, told: problems.length }));
    return;
  }
  for (const { line, column, reason } of problems) {
    const where = [
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(column === undefined ? [] : [column]),
    ];
    terminal.note(harmlessText(where.length === 0 ? reason : `${where.join(', ')}: ${reason}`));
  }
  if (count > problems.length) terminal.note(`… and ${count - problems.length} more problems.`);
  if (count > 1) terminal.note(`${count} problems${isPartial ? '' : ': nothing was written'}.`);
}
