import type { Outcome, Removal } from '../admin/resource.ts';
import type { Finding } from '../admin/connection-test.ts';
import { RefusedError } from '../admin/problems.ts';
import { asText, csvLine } from '../lib/csv.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

type ListFormat = {
  heading?: string | undefined;
  format: (entry: Readonly<Record<string, unknown>>) => string;
};

/** NDJSON, so that a long list can be streamed. `import` reads it. */
const jsonLines: ListFormat = { format: (entry) => JSON.stringify(entry) };

function csv(fields: readonly string[]): ListFormat {
  return {
    heading: fields.join(','),
    format: (entry) => csvLine(fields.map((field) => entry[field])),
  };
}

/** Formats a table. The first entries determine the column widths; longer values are not cut. */
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
  return value === null || value === undefined || value === '' ? '-' : escapeControls(asText(value));
}

/** Replaces control and bidirectional formatting characters, which a terminal would interpret. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** The first entries determine the widths of the columns; the rest is streamed. */
const measuredEntries = 200;

export type ListOptions = CommonOptions & { csv?: boolean };

/** Prints entries as columns, CSV or JSON lines. */
export async function printList<Entry extends Readonly<Record<string, unknown>>>(
  { terminal }: CliContext,
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
    else if (first.push(entry) >= measuredEntries) chosen = await begin();
  }
  if (chosen === undefined) await begin();
}

/** Prints one record, with a line for each member. */
export async function printRecord(
  { terminal }: CliContext,
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

/** @throws RefusedError if checks failed, after all findings were printed */
export async function printFindings(
  cli: CliContext,
  findings: readonly Finding[],
  options: CommonOptions,
): Promise<void> {
  await printList(cli, findings, options, { fields: ['ok', 'check', 'detail'], heading: false });
  const failed = findings.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const problems = failed.map(({ check, detail }) => ({ column: check, reason: detail }));
  throw new RefusedError(problems, { isPartial: true });
}

/** Prints a result as one sentence or as JSON. */
export async function printResult(
  { terminal }: CliContext,
  sentence: string,
  result: Readonly<Record<string, unknown>>,
  { json }: CommonOptions,
): Promise<void> {
  await terminal.print(json === true ? JSON.stringify(result) : escapeControls(sentence));
}

/** Prints the counts of a save. For a dry run or a single entry, also the names and changes. */
export async function printOutcome(
  { terminal }: CliContext,
  resource: string,
  { added, changed, unchanged }: Outcome,
  { json, dryRun = false }: CommonOptions & { dryRun?: boolean },
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify({ added, changed, unchanged, dryRun }));
    return;
  }
  const isOne = added.length + changed.length + unchanged.length === 1;
  if (dryRun || isOne) {
    const [add, change] = dryRun ? ['add', 'change'] : ['added', 'changed'];
    for (const name of added) await terminal.print(`${add} ${escapeControls(name)}`);
    for (const { name, changes } of changed)
      await terminal.print(`${change} ${escapeControls(name)}: ${describeChanges(changes)}`);
    for (const name of unchanged) await terminal.print(`unchanged ${escapeControls(name)}`);
  }
  const counts = `${added.length} added, ${changed.length} changed, ${unchanged.length} unchanged`;
  if (dryRun) await terminal.print(`${resource}: ${counts} (dry run: nothing was written)`);
  else if (!isOne) await terminal.print(`${resource}: ${counts}`);
}

export async function printRemoval(
  { terminal }: CliContext,
  { removed, deleted, kept }: Removal,
  { json, dryRun = false }: CommonOptions & { dryRun?: boolean },
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify({ removed, deleted, kept, dryRun }));
    return;
  }
  for (const name of removed)
    await terminal.print(`${dryRun ? 'remove' : 'removed'} ${escapeControls(name)}`);
  for (const [what, count] of Object.entries(deleted)) await terminal.print(`  ${what}: ${count}`);
  for (const what of kept) await terminal.print(`  kept: ${what}`);
  if (dryRun) await terminal.print('dry run: nothing was removed');
}

function describeChanges(changes: Outcome['changed'][number]['changes']): string {
  const describe = (value: unknown): string =>
    value === null || value === undefined ? 'none' : escapeControls(JSON.stringify(value));
  return Object.entries(changes)
    .map(([field, { from, to }]) => `${field} ${describe(from)} → ${describe(to)}`)
    .join(', ');
}

/** Prints each reason with its line and field. */
export function printRefusal(
  { terminal }: Pick<CliContext, 'terminal'>,
  { problems, count, isPartial }: RefusedError,
  { json }: CommonOptions,
): void {
  if (json === true) {
    for (const problem of problems) terminal.note(JSON.stringify(problem));
    terminal.note(JSON.stringify({ problems: count, listed: problems.length }));
    return;
  }
  for (const { line, column, reason } of problems) {
    const where = [
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(column === undefined ? [] : [column]),
    ];
    terminal.note(escapeControls(where.length === 0 ? reason : `${where.join(', ')}: ${reason}`));
  }
  if (count > problems.length) terminal.note(`… and ${count - problems.length} more problems.`);
  if (count > 1) terminal.note(`${count} problems${isPartial ? '' : ': nothing was written'}.`);
}
