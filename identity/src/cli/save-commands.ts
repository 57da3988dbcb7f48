import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import * as v from 'valibot';
import type { AdminContext } from '../admin/context.ts';
import { RefusedError, collectProblems } from '../admin/problems.ts';
import type { Outcome, Resource } from '../admin/resource.ts';
import { collectRows } from './importing/collect-rows.ts';
import { printOutcome } from './output.ts';
import type { Progress } from './terminal.ts';
import { UsageError } from './usage-errors.ts';
import { mayAsk } from './world.ts';
import type { CommonOptions, World } from './world.ts';

export type Verb = 'add' | 'update' | 'import';
export type SaveOptions = CommonOptions & { update?: boolean; dryRun?: boolean };
type Values = Readonly<Record<string, unknown>>;

/** What a command adds to saving a resource. */
export type SaveDetails = {
  withOptions?: (command: Command, verb: Verb) => void;
  /** Completes the values of one entry and may exchange the resource; default: missing values are asked for. */
  prepareOne?: (
    world: World,
    values: Values,
    options: SaveOptions,
    verb: Verb,
  ) => Promise<{ resource?: Resource; entry: Values }>;
  prepareImport?: (options: SaveOptions) => Resource;
  /** Runs after the outcome was printed. */
  afterwards?: (world: World, outcome: Outcome, options: SaveOptions, context: AdminContext) => Promise<void>;
};

export function addSaveCommands(
  parent: Command,
  world: World,
  resource: Resource,
  details: SaveDetails,
): void {
  for (const verb of ['add', 'update'] as const) {
    const command = defineSave(parent, resource, verb);
    details.withOptions?.(command, verb);
    command.action(async (...given: unknown[]) => {
      const { values, options: chosen } = readGiven(resource, given);
      const options = verb === 'update' ? { ...chosen, update: true } : chosen;
      const prepared = (await details.prepareOne?.(world, values, options, verb)) ?? {
        entry: await completeEntry(world, resource, values, options),
      };
      const context = await world.open();
      const outcome = await (prepared.resource ?? resource).save(
        context,
        [{ line: undefined, entry: prepared.entry }],
        { update: options.update, add: verb === 'add', dryRun: options.dryRun, problems: collectProblems() },
      );
      await printOutcome(world, resource.name, outcome, options);
      await details.afterwards?.(world, outcome, options, context);
    });
  }
  if (resource.importable === true) addImport(parent, world, resource, details);
}

/** `add [key …] --field …`, with an option for each field. */
function defineSave(parent: Command, resource: Resource, verb: 'add' | 'update'): Command {
  const isAdd = verb === 'add';
  const command = parent
    .command(verb)
    .description(
      isAdd ? `add a ${resource.singular}, or change one with --update` : `change a ${resource.singular}`,
    );
  for (const key of resource.keys) command.argument(`[${key}]`, resource.fields[key]?.help);
  for (const [name, { kind, help, fromFile }] of Object.entries(resource.fields)) {
    if (resource.keys.includes(name) || fromFile === true) continue;
    if (kind === 'flag') command.option(flagOf(name), help).option(`--no-${flagOf(name).slice(2)}`);
    else command.addOption(new Option(`${flagOf(name)} <${kind}>`, help));
  }
  const stays = 'fields that are not given stay, an empty text clears';
  if (isAdd) command.option('--update', `change an existing one: ${stays}`);
  else command.addHelpText('after', `\nOther ${stays}.`);
  return command.option('--dry-run', 'show what would be done, and do nothing');
}

/** The given values by field: arguments in the order of the keys, then options. */
function readGiven(
  { keys, fields }: Resource,
  given: readonly unknown[],
): { values: Record<string, unknown>; options: SaveOptions } {
  const options = given[keys.length] as SaveOptions & Record<string, unknown>;
  const named = keys.map((key, index) => [key, given[index]] as const);
  const others = Object.keys(fields).map((field) => [field, options[field]] as const);
  const values = [...others, ...named].filter(([, value]) => value !== undefined);
  return { values: Object.fromEntries(values), options };
}

/**
 * The entry that the command describes; missing values are asked for on a terminal.
 * @throws UsageError elsewhere, naming all of them; RefusedError for invalid values
 */
export async function completeEntry(
  world: World,
  resource: Resource,
  given: Values,
  options: SaveOptions,
): Promise<Values> {
  const values: Record<string, unknown> = { ...given };
  const { keys, fields } = resource;
  const missing = Object.entries(fields).filter(
    ([name, field]) =>
      values[name] === undefined &&
      (keys.includes(name) || (field.initial === undefined && options.update !== true)),
  );
  if (missing.length > 0 && !mayAsk(world, options)) {
    const names = missing.map(([name]) => (keys.includes(name) ? `<${name}>` : flagOf(name)));
    throw new UsageError(`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} needed`);
  }
  for (const [name, { help, schema }] of missing) {
    values[name] = await world.terminal.ask(`${name} (${help})`, (answer) => {
      const result = v.safeParse(schema, answer, { abortPipeEarly: true });
      return result.success ? undefined : result.issues[0].message;
    });
  }
  const parsed = resource.parse(values);
  if ('problems' in parsed) throw new RefusedError(parsed.problems);
  return parsed.entry;
}

/** `displayName` → `--display-name` */
function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function addImport(parent: Command, world: World, resource: Resource, details: SaveDetails): void {
  const command = parent
    .command('import')
    .description(`add ${resource.name} from a file: all of them or none`)
    .argument('[file]', 'CSV or JSON, an array or an object a line; - is standard input')
    .option('--update', 'change existing ones: columns that are not there leave things as they are')
    .option('--dry-run', 'show what would be added, changed and left, and do nothing')
    .addHelpText('after', `\nFields: ${Object.keys(resource.fields).join(', ')}`);
  details.withOptions?.(command, 'import');
  command.action(async (given: string | undefined, options: SaveOptions) => {
    const file = given ?? (await askForFile(world, options));
    const context = world.open;
    const outcome = await importFile(world, details.prepareImport?.(options) ?? resource, file, options);
    await details.afterwards?.(world, outcome, options, await context());
  });
}

async function askForFile(world: World, options: SaveOptions): Promise<string> {
  if (!mayAsk(world, options)) throw new UsageError('<file> is needed (- is standard input)');
  return await world.terminal.ask('file (CSV or JSON)', (answer) =>
    answer.trim() === '' ? 'is needed' : undefined,
  );
}

/** Reads all of the file, then writes all of it or nothing. */
async function importFile(
  world: World,
  resource: Resource,
  file: string,
  options: SaveOptions,
): Promise<Outcome> {
  const problems = collectProblems();
  const rows = await readAll(world, file, (chunks) => collectRows(resource, chunks, problems)).catch(
    (error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return [];
    },
  );
  // the database is opened after the pipe has ended: another command at its other end may have the embedded one open
  if (rows.length === 0) problems.refuseIfAny();
  const context = await world.open();
  const writing = options.dryRun === true ? undefined : world.terminal.showProgress('Writing', rows.length);
  const outcome = await resource
    .save(context, rows, {
      ...options,
      problems,
      async onWritten(count) {
        writing?.advance(count);
        await letOthersRun();
      },
    })
    .finally(() => writing?.stop());
  await printOutcome(world, resource.name, outcome, options);
  return outcome;
}

async function readAll<Result>(
  { terminal, startedIn }: World,
  file: string,
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  if (file === '-') return await read(terminal.input);
  const path = resolve(startedIn, file);
  const facts = await stat(path).catch((error: unknown) => {
    throw new RefusedError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  });
  const reading = terminal.showProgress('Reading', facts.size);
  return await read(watched(createReadStream(path), reading)).finally(() => reading.stop());
}

async function* watched(chunks: AsyncIterable<Uint8Array>, reading: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    reading.advance(chunk.length);
    yield chunk;
  }
}
