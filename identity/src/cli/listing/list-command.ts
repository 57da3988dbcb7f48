import { Option } from 'commander';
import type { Command } from 'commander';
import type { NounDescription } from '../noun.ts';
import { UsageError } from '../problems.ts';
import type { CommonOptions, World } from '../world.ts';
import { columns, csv, jsonLines } from './list-formats.ts';
import type { ListFormat } from './list-formats.ts';

type ListOptions = CommonOptions & { csv?: boolean; limit?: string; after?: string } & Record<
    string,
    string | boolean
  >;

/** So many entries say how wide the columns are; the rest streams through. */
const entriesMeasured = 200;

export function addListCommand<Entry extends Record<string, unknown>>(
  parent: Command,
  world: World,
  noun: NounDescription<Entry>,
): void {
  const command = parent
    .command('list')
    .description(`list ${noun.name}, sorted by ${noun.keys.join(', then ')}`);
  for (const [name, { flags, help }] of Object.entries(noun.filters)) {
    command.addOption(new Option(flags, help));
    if (!flags.includes('<')) command.option(`--no-${name}`);
  }
  command
    .option('--limit <count>', 'at most so many')
    .option('--after <name>', 'those that follow this one, for the next page')
    .addOption(new Option('--csv', 'as CSV, which `import` and spreadsheets read').conflicts('json'))
    .action(async (options: ListOptions) => {
      if (options.limit !== undefined && !/^[1-9]\d{0,8}$/.test(options.limit))
        throw new UsageError('--limit must be a whole number from 1');
      const bench = await world.open();
      await printList(world, noun, noun.list(bench.database, options), options);
    });
}

type ListedNoun = { fields: Readonly<Record<string, unknown>>; columns?: readonly string[] };

async function printList(
  { terminal }: World,
  noun: ListedNoun,
  entries: AsyncGenerator<Record<string, unknown>>,
  options: ListOptions,
): Promise<void> {
  const first: Record<string, unknown>[] = [];
  while (first.length < entriesMeasured) {
    const next = await entries.next();
    if (next.done === true) break;
    first.push(next.value);
  }
  const { heading, format } = chooseFormat(noun, first, options);
  if (heading !== undefined) await terminal.print(heading);
  for (const entry of first) await terminal.print(format(entry));
  for await (const entry of entries) await terminal.print(format(entry));
}

function chooseFormat(
  { fields, columns: shown = Object.keys(fields) }: ListedNoun,
  first: readonly Record<string, unknown>[],
  { json, csv: asCsv }: ListOptions,
): ListFormat {
  if (json === true) return jsonLines;
  return asCsv === true ? csv(Object.keys(fields)) : columns(shown, first);
}
