import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import * as v from 'valibot';
import type { AdminContext } from '../admin/admin-context.ts';
import { RefusedError, collectProblems } from '../admin/problems.ts';
import type { Outcome, Resource } from '../admin/resource.ts';
import { collectRows } from '../admin/importing/collect-rows.ts';
import { gatherStatistics } from '../store/open-database.ts';
import { printOutcome } from './output.ts';
import type { Progress } from './terminal.ts';
import { UsageError, mayAsk } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

export type Verb = 'add' | 'update' | 'import';
export type SaveOptions = CommonOptions & { update?: boolean; dryRun?: boolean };
type Values = Readonly<Record<string, unknown>>;

/** Extensions of the commands of one resource. */
export type SaveDetails = {
  withOptions?: (command: Command, verb: Verb) => void;
  /** Completes the values of one entry, and may return another resource. Default: prompts for missing values. */
  prepareOne?: (
    cli: CliContext,
    values: Values,
    options: SaveOptions,
    verb: Verb,
  ) => Promise<{ resource?: Resource; entry: Values }>;
  prepareImport?: (options: SaveOptions) => Resource;
  /** What `show` prints; default: the entry. */
  show?: (context: AdminContext, keys: Values) => Promise<Values>;
  /** Runs after the outcome has been printed. */
  afterwards?: (
    cli: CliContext,
    outcome: Outcome,
    options: SaveOptions,
    context: AdminContext,
  ) => Promise<void>;
};

export function addSaveCommands(
  parent: Command,
  cli: CliContext,
  resource: Resource,
  details: SaveDetails,
): void {
  for (const verb of ['add', 'update'] as const) {
    const command = defineSave(parent, resource, verb);
    details.withOptions?.(command, verb);
    command.action(async (...given: unknown[]) => {
      const { values, options: chosen } = readGiven(resource, given);
      const options = verb === 'update' ? { ...chosen, update: true } : chosen;
      const prepared = (await details.prepareOne?.(cli, values, options, verb)) ?? {
        entry: await completeEntry(cli, resource, values, options),
      };
      const context = await cli.open();
      const outcome = await (prepared.resource ?? resource).save(
        context,
        [{ line: undefined, entry: prepared.entry }],
        { update: options.update, add: verb === 'add', dryRun: options.dryRun, problems: collectProblems() },
      );
      await printOutcome(cli, resource.name, outcome, options);
      await details.afterwards?.(cli, outcome, options, context);
    });
  }
  if (resource.importedTables !== undefined) addImport(parent, cli, resource, details);
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
  const rules = 'fields that are not given are unchanged, and empty text clears a field';
  if (isAdd) command.option('--update', `change the ${resource.singular} if it exists: ${rules}`);
  else command.addHelpText('after', `\nOther ${rules}.`);
  return command.option('--dry-run', 'show what would change, without writing');
}

/** Returns the given values by field name. Arguments fill `resource.keys` in order; options fill the other fields. */
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
 * Validates the entry, after prompting for missing values on a terminal.
 * @throws UsageError if values are missing and there is no terminal; RefusedError if values are invalid
 */
export async function completeEntry(
  cli: CliContext,
  resource: Resource,
  given: Values,
  options: SaveOptions,
): Promise<Values> {
  const values: Record<string, unknown> = { ...given };
  const { keys, fields } = resource;
  const missing = Object.entries(fields).filter(
    ([name, field]) =>
      values[name] === undefined &&
      field.initial === undefined &&
      (keys.includes(name) || options.update !== true),
  );
  if (missing.length > 0 && !mayAsk(cli, options)) {
    const names = missing.map(([name]) => (keys.includes(name) ? `<${name}>` : flagOf(name)));
    throw new UsageError(`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} required`);
  }
  for (const [name, { help, schema }] of missing) {
    values[name] = await cli.terminal.ask(`${name} (${help})`, (answer) => {
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

function addImport(parent: Command, cli: CliContext, resource: Resource, details: SaveDetails): void {
  const command = parent
    .command('import')
    .description(`add ${resource.name} from a file: all of them, or none if there is a problem`)
    .argument('[file]', 'CSV, a JSON array, or one JSON object per line; - is standard input')
    .option('--update', `change ${resource.name} that exist: fields without a column are unchanged`)
    .option('--dry-run', 'show what would be added, changed and unchanged, without writing')
    .addHelpText('after', `\nFields: ${Object.keys(resource.fields).join(', ')}`);
  details.withOptions?.(command, 'import');
  command.action(async (given: string | undefined, options: SaveOptions) => {
    const file = given ?? (await askForFile(cli, options));
    const outcome = await importFile(cli, details.prepareImport?.(options) ?? resource, file, options);
    await details.afterwards?.(cli, outcome, options, await cli.open());
  });
}

async function askForFile(cli: CliContext, options: SaveOptions): Promise<string> {
  if (!mayAsk(cli, options)) throw new UsageError('<file> is required (- is standard input)');
  return await cli.terminal.ask('file (CSV or JSON)', (answer) =>
    answer.trim() === '' ? 'is required' : undefined,
  );
}

/** From this number of rows on, the database would plan queries with wrong sizes of the tables. */
const manyRows = 1_000;

/** Reads the complete file, then writes all of its entries or none. */
async function importFile(
  cli: CliContext,
  resource: Resource,
  file: string,
  options: SaveOptions,
): Promise<Outcome> {
  const problems = collectProblems();
  const rows = await readAll(cli, file, (chunks) => collectRows(resource, chunks, problems)).catch(
    (error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return [];
    },
  );
  // Opens the database only after the input pipe has ended, because the command that writes to the pipe may have the
  // embedded database open.
  if (rows.length === 0) problems.refuseIfAny();
  const context = await cli.open();
  const writing = options.dryRun === true ? undefined : cli.terminal.showProgress('Writing', rows.length);
  const outcome = await resource
    .save(context, rows, {
      ...options,
      problems,
      async onWritten(count) {
        writing?.advance(count);
        await yieldToEventLoop();
      },
    })
    .finally(() => writing?.stop());
  if (options.dryRun !== true && outcome.added.length >= manyRows)
    await gatherStatistics(context.database, resource.importedTables);
  await printOutcome(cli, resource.name, outcome, options);
  return outcome;
}

async function readAll<Result>(
  { terminal, startedIn }: CliContext,
  file: string,
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  if (file === '-') return await read(terminal.input);
  const path = resolve(startedIn, file);
  const facts = await stat(path).catch((error: unknown) => {
    throw new RefusedError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  });
  const reading = terminal.showProgress('Reading', facts.size);
  return await read(reportProgress(createReadStream(path), reading)).finally(() => reading.stop());
}

async function* reportProgress(
  chunks: AsyncIterable<Uint8Array>,
  reading: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    reading.advance(chunk.length);
    yield chunk;
  }
}
