import { Option } from 'commander';
import type { Command } from 'commander';
import * as v from 'valibot';
import { parseEntry } from './fields.ts';
import type { Noun, NounDescription, Plan } from './noun.ts';
import { RefusedError, UsageError, collectProblems } from './problems.ts';
import { reportOutcome } from './report.ts';
import { save } from './save.ts';
import type { Workbench } from './workbench.ts';
import type { CommonOptions, World } from './world.ts';
import { mayAsk } from './world.ts';

export type AddOptions = CommonOptions & { update?: boolean; dryRun?: boolean };

/** `add [key …] --field …`, an option for each field of the noun. */
export function defineAdd<Entry>(
  parent: Command,
  noun: NounDescription<Entry>,
  verb: 'add' | 'update' = 'add',
): Command {
  const description =
    verb === 'add'
      ? `add a ${noun.singular}, or change one with --update`
      : `change a ${noun.singular} that is there`;
  const command = parent.command(verb).description(description);
  for (const key of noun.keys) command.argument(`[${key}]`, noun.fields[key].help);
  for (const [name, { kind, help, fromFile }] of Object.entries(fieldsOf(noun))) {
    if (isKey(noun, name) || fromFile === true) continue;
    if (kind === 'flag') command.option(flagOf(name), help).option(`--no-${flagOf(name).slice(2)}`);
    else command.addOption(new Option(`${flagOf(name)} <${kind}>`, help));
  }
  const stays = 'what is not said stays, an empty text takes away';
  if (verb === 'add') command.option('--update', `change what is there already: ${stays}`);
  else command.addHelpText('after', `\nChanges what is there: ${stays}.`);
  return command.option('--dry-run', 'say what would be done, and do nothing');
}

/** Sites and memberships: nothing but what the fields say. */
export function addAddCommand<Entry, NounPlan extends Plan, Prepared>(
  parent: Command,
  world: World,
  noun: Noun<Entry, NounPlan, Prepared>,
): void {
  defineAdd(parent, noun).action(async (...given: unknown[]) => {
    const { values, options } = readGiven(noun, given);
    const entry = await completeEntry(world, noun, values, options);
    await addOne(world, await world.open(), noun, entry, options);
  });
}

/** What the command was given, by field: arguments in the order of the keys, then options. */
export function readGiven<Entry>(
  noun: NounDescription<Entry>,
  given: readonly unknown[],
): { values: Record<string, unknown>; options: AddOptions & Record<string, unknown> } {
  const options = given[noun.keys.length] as AddOptions & Record<string, unknown>;
  const keys = noun.keys.map((key, index) => [key, given[index]] as const);
  const others = Object.keys(noun.fields).map((field) => [field, options[field]] as const);
  const said = [...others, ...keys].filter(([, value]) => value !== undefined);
  return { values: Object.fromEntries(said), options };
}

/**
 * The entry that the command means; what is missing is asked for on a terminal.
 * @throws UsageError elsewhere, naming all of it; RefusedError for values that cannot be
 */
export async function completeEntry<Entry>(
  world: World,
  noun: NounDescription<Entry>,
  given: Readonly<Record<string, unknown>>,
  options: AddOptions,
): Promise<Entry> {
  const values: Record<string, unknown> = { ...given };
  const missing = Object.entries(fieldsOf(noun)).filter(
    ([name, field]) =>
      values[name] === undefined &&
      (isKey(noun, name) || (field.neededForNew === true && options.update !== true)),
  );
  if (missing.length > 0 && !mayAsk(world, options)) {
    const names = missing.map(([name]) => (isKey(noun, name) ? `<${name}>` : flagOf(name)));
    throw new UsageError(`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} needed`);
  }
  for (const [name, { help }] of missing) {
    const schema = noun.fieldSchemas[name] ?? v.unknown();
    values[name] = await world.terminal.ask(`${name} (${help})`, (answer) => {
      const result = v.safeParse(schema, answer, { abortPipeEarly: true });
      return result.success ? undefined : result.issues[0].message;
    });
  }
  const { entry, problems } = parseEntry(noun.schema, values);
  if (entry === undefined) throw new RefusedError(problems ?? []);
  return entry;
}

export async function addOne<Entry, NounPlan extends Plan, Prepared>(
  world: World,
  bench: Workbench,
  noun: Noun<Entry, NounPlan, Prepared>,
  entry: Entry,
  options: AddOptions,
): Promise<void> {
  const outcome = await save(bench, noun, [{ line: undefined, entry }], {
    update: options.update === true,
    add: true,
    dryRun: options.dryRun === true,
    problems: collectProblems(),
  });
  await reportOutcome(world, noun, outcome, options);
}

function fieldsOf<Entry>({
  fields,
}: NounDescription<Entry>): Readonly<Record<string, NounDescription<Entry>['fields'][keyof Entry & string]>> {
  return fields;
}

function isKey<Entry>({ keys }: NounDescription<Entry>, name: string): boolean {
  return keys.some((key) => key === name);
}

/** `displayName` → `--display-name` */
export function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
