import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Noun, NounDescription, Outcome, Plan } from '../noun.ts';
import { RefusedError, UsageError, collectProblems } from '../problems.ts';
import { reportOutcome } from '../report.ts';
import { save } from '../save.ts';
import type { Progress } from '../terminal.ts';
import { mayAsk } from '../world.ts';
import type { CommonOptions, World } from '../world.ts';
import { collectRows } from './collect-rows.ts';

export type ImportOptions = CommonOptions & { update?: boolean; dryRun?: boolean };

export function defineImport<Entry>(parent: Command, noun: NounDescription<Entry>): Command {
  return parent
    .command('import')
    .description(`add ${noun.name} from a file: all of them or none`)
    .argument('[file]', 'CSV or JSON, an array or an object a line; - is standard input')
    .option('--update', 'change what is there already: columns that are not there leave things as they are')
    .option('--dry-run', 'say what would be added, changed and left, and do nothing')
    .addHelpText('after', `\nFields: ${Object.keys(noun.fields).join(', ')}`);
}

export function addImportCommand<Entry, NounPlan extends Plan, Prepared>(
  parent: Command,
  world: World,
  noun: Noun<Entry, NounPlan, Prepared>,
): void {
  defineImport(parent, noun).action(async (given: string | undefined, options: ImportOptions) => {
    await importFile(world, noun, await chooseFile(world, given, options), options);
  });
}

export async function chooseFile(
  world: World,
  given: string | undefined,
  options: ImportOptions,
): Promise<string> {
  if (given !== undefined) return given;
  if (!mayAsk(world, options)) throw new UsageError('<file> is needed (- is standard input)');
  return await world.terminal.ask('file (CSV or JSON)', (answer) =>
    answer.trim() === '' ? 'is needed' : undefined,
  );
}

/** Reads all of it, then writes all of it or nothing. */
export async function importFile<Entry, NounPlan extends Plan, Prepared>(
  world: World,
  noun: Noun<Entry, NounPlan, Prepared>,
  file: string,
  options: ImportOptions,
): Promise<Outcome> {
  const problems = collectProblems();
  const rows = await readAll(world, file, (chunks) => collectRows(noun, chunks, problems)).catch(
    (error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return [];
    },
  );
  // nothing is opened while a pipe may still come from another command, which has the embedded database
  if (rows.length === 0) problems.refuseIfAny();
  const bench = await world.open();
  const writing = options.dryRun === true ? undefined : world.terminal.showProgress('Writing', rows.length);
  const outcome = await save(bench, noun, rows, {
    update: options.update === true,
    add: true,
    dryRun: options.dryRun === true,
    problems,
    async onWritten(count) {
      writing?.advance(count);
      await letOthersRun();
    },
  }).finally(() => writing?.stop());
  await reportOutcome(world, noun, outcome, options);
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
    throw new RefusedError([
      { reason: `${file} cannot be read: ${error instanceof Error ? error.message : ''}` },
    ]);
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
