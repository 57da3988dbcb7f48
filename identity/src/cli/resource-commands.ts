import { Option } from 'commander';
import type { Command } from 'commander';
import { namesOfShown } from '../admin/fields.ts';
import { RefusedError, collectProblems } from '../admin/problems.ts';
import type { Resource } from '../admin/resource.ts';
import { printList, printOutcome, printRecord, printRemoval } from './output.ts';
import type { ListOptions } from './output.ts';
import { addSaveCommands } from './save-commands.ts';
import type { SaveDetails } from './save-commands.ts';
import { parseLimit } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

/** Adds the commands of a resource: list, show, add and update, and if it supports them import, disable, enable and remove. */
export function addResourceCommands(
  parent: Command,
  cli: CliContext,
  resource: Resource,
  details: SaveDetails = {},
): void {
  addList(parent, cli, resource);
  withKeys(parent.command('show'), resource)
    .description(`show all stored data of one ${resource.singular}, without secrets`)
    .action(async (...given: unknown[]) => {
      const { keys, options } = readKeys<CommonOptions>(resource, given);
      const context = await cli.open();
      const shown = details.show
        ? await details.show(context, keys)
        : (await resource.show(context, { keys })).shown;
      await printRecord(cli, shown, options);
    });
  addSaveCommands(parent, cli, resource, details);
  addSwitches(parent, cli, resource);
  if (resource.removeHelp === undefined) return;
  withKeys(parent.command('remove'), resource)
    .description(resource.removeHelp)
    .option('--dry-run', 'show what would be removed and kept, without writing')
    .action(async (...given: unknown[]) => {
      const { keys, options } = readKeys<CommonOptions & { dryRun?: boolean }>(resource, given);
      await printRemoval(cli, await resource.remove(await cli.open(), { keys }, options), options);
    });
}

function addList(parent: Command, cli: CliContext, resource: Resource): void {
  const command = parent
    .command('list')
    .description(`list ${resource.name}, sorted by ${resource.keys.join(', then ')}`);
  for (const [name, { flags, help }] of Object.entries(resource.filters)) {
    command.addOption(new Option(flags, help));
    if (!flags.includes('<')) command.option(`--no-${name}`);
  }
  command
    .option('--limit <count>', 'maximum number of entries')
    .option('--after <name>', 'only entries after this one, for the next page')
    .addOption(new Option('--csv', 'print CSV, for `import` and spreadsheets').conflicts('json'))
    .action(async (options: ListOptions & Record<string, string | boolean> & { limit?: string }) => {
      parseLimit(options.limit);
      const context = await cli.open();
      const fields = namesOfShown(resource.fields);
      await printList(cli, resource.list(context, options), options, {
        fields,
        shown: [...(resource.columns ?? fields), ...resource.facts],
      });
    });
}

/** Adds `disable` and `enable`. They accept several entries if the resource has a single key. */
function addSwitches(parent: Command, cli: CliContext, resource: Resource): void {
  const { switchHelp, toDisabled, keys } = resource;
  if (switchHelp === undefined) return;
  const [key = ''] = keys;
  for (const verb of ['disable', 'enable'] as const) {
    const command = parent.command(verb).description(switchHelp[verb]);
    if (keys.length === 1) command.argument(`<${key}...>`, resource.fields[key]?.help);
    else withKeys(command, resource);
    command.action(async (...given: unknown[]) => {
      const { keys: named, options } = readKeys<CommonOptions>(resource, given);
      // A single key is a variadic argument, for which commander passes a list.
      const first = named[key];
      const all = Array.isArray(first)
        ? [...new Set(first)].map((name) => ({ [key]: name as unknown }))
        : [named];
      const rows = all.map((values) => {
        const parsed = resource.parse({ ...values, ...toDisabled(verb === 'disable') });
        if ('problems' in parsed) throw new RefusedError(parsed.problems);
        return { line: undefined, entry: parsed.entry };
      });
      const settings = { update: true, add: false, problems: collectProblems() };
      await printOutcome(cli, resource.name, await resource.save(await cli.open(), rows, settings), options);
    });
  }
}

function withKeys(command: Command, { keys, fields }: Resource): Command {
  for (const key of keys) {
    const isOptional = fields[key]?.initial !== undefined;
    command.argument(isOptional ? `[${key}]` : `<${key}>`, fields[key]?.help);
  }
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
