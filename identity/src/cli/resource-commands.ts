import { Option } from 'commander';
import type { Command } from 'commander';
import { namesOfShown } from '../admin/fields.ts';
import { RefusedError, collectProblems } from '../admin/problems.ts';
import type { Resource } from '../admin/resource.ts';
import { printList, printOutcome, printRecord, printRemoval } from './output.ts';
import type { ListOptions } from './output.ts';
import { addSaveCommands } from './save-commands.ts';
import type { SaveDetails } from './save-commands.ts';
import { parseLimit } from './world.ts';
import type { CommonOptions, World } from './world.ts';

/** The commands that every resource has: list, show, add, update, and import, disable, enable and remove where it defines them. */
export function addResourceCommands(
  parent: Command,
  world: World,
  resource: Resource,
  details: SaveDetails = {},
): void {
  addList(parent, world, resource);
  withKeys(parent.command('show'), resource)
    .description(`everything that is stored of one ${resource.singular}, without secrets`)
    .action(async (...given: unknown[]) => {
      const { keys, options } = readKeys<CommonOptions>(resource, given);
      await printRecord(world, await resource.show(await world.open(), keys), options);
    });
  addSaveCommands(parent, world, resource, details);
  addSwitches(parent, world, resource);
  if (resource.removing === undefined) return;
  withKeys(parent.command('remove'), resource)
    .description(resource.removing)
    .option('--dry-run', 'show what would be removed and what is kept, and do nothing')
    .action(async (...given: unknown[]) => {
      const { keys, options } = readKeys<CommonOptions & { dryRun?: boolean }>(resource, given);
      await printRemoval(world, await resource.remove(await world.open(), keys, options), options);
    });
}

function addList(parent: Command, world: World, resource: Resource): void {
  const command = parent
    .command('list')
    .description(`list ${resource.name}, sorted by ${resource.keys.join(', then ')}`);
  for (const [name, { flags, help }] of Object.entries(resource.filters)) {
    command.addOption(new Option(flags, help));
    if (!flags.includes('<')) command.option(`--no-${name}`);
  }
  command
    .option('--limit <count>', 'maximum number of entries')
    .option('--after <name>', 'entries after this one, for the next page')
    .addOption(new Option('--csv', 'as CSV, which `import` and spreadsheets read').conflicts('json'))
    .action(async (options: ListOptions & Record<string, string | boolean> & { limit?: string }) => {
      parseLimit(options.limit);
      const { database } = await world.open();
      const fields = namesOfShown(resource.fields);
      await printList(world, resource.list(database, options), options, { fields, shown: resource.columns });
    });
}

/** `disable` and `enable`: one or more entries where one argument names one, otherwise exactly one. */
function addSwitches(parent: Command, world: World, resource: Resource): void {
  const { switching, disabledAs, keys } = resource;
  if (switching === undefined || disabledAs === undefined) return;
  const [key = ''] = keys;
  for (const verb of ['disable', 'enable'] as const) {
    const command = parent.command(verb).description(switching[verb]);
    if (keys.length === 1) command.argument(`<${key}...>`, resource.fields[key]?.help);
    else withKeys(command, resource);
    command.action(async (...given: unknown[]) => {
      const { keys: named, options } = readKeys<CommonOptions>(resource, given);
      const first = named[key];
      const all = Array.isArray(first)
        ? [...new Set(first)].map((name) => ({ [key]: name as unknown }))
        : [named];
      const rows = all.map((values) => {
        const parsed = resource.parse({ ...values, ...disabledAs(verb === 'disable') });
        if ('problems' in parsed) throw new RefusedError(parsed.problems);
        return { line: undefined, entry: parsed.entry };
      });
      const how = { update: true, add: false, problems: collectProblems() };
      await printOutcome(world, resource.name, await resource.save(await world.open(), rows, how), options);
    });
  }
}

function withKeys(command: Command, { keys, fields }: Resource): Command {
  for (const key of keys) command.argument(`<${key}>`, fields[key]?.help);
  return command;
}

function readKeys<Options>(
  { keys }: Resource,
  given: readonly unknown[],
): { keys: Record<string, unknown>; options: Options } {
  return {
    keys: Object.fromEntries(keys.map((key, index) => [key, given[index]])),
    options: given[keys.length] as Options,
  };
}
