import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import {
  addSecret,
  addSigningKey,
  createFirstKeys,
  keyFields,
  listKeys,
  resealStoredSecrets,
  retireKey,
  startUsingKey,
} from '../admin/keys.ts';
import { algorithms } from '../admin/make-key.ts';
import type { Algorithm } from '../admin/make-key.ts';
import { RefusedError } from '../admin/problems.ts';
import type { KeySetting } from '../lib/keys.ts';
import { printList, printResult } from './output.ts';
import type { CommonOptions, World } from './world.ts';

type OutputOptions = CommonOptions & { file?: string };

export function addKeyCommands(parent: Command, world: World): void {
  withFile(
    parent.command('init').description('the first SECRETS and SIGNING_JWKS of an installation, one a line'),
  ).action(async (options: OutputOptions) => {
    const lines = Object.entries(createFirstKeys()).map(([setting, value]) => `${setting}=${value}`);
    await put(world, lines.join('\n'), options);
    world.terminal.note('Give every node both, and keep them apart from backups of the database.');
  });
  parent
    .command('list')
    .description(
      'the keys of the settings by their ids, never a key itself; which is in use, which nodes know it',
    )
    .action(async (options: CommonOptions) =>
      printList(world, await listKeys(await world.open()), options, { fields: keyFields }),
    );
  addAdd(parent, world);
  addUse(parent, world);
  parent
    .command('reseal')
    .description('encrypt stored secrets with the secret in use')
    .action(async (options: CommonOptions) => {
      const resealed = await resealStoredSecrets(await world.open());
      await printResult(world, `${resealed.length} sealed again`, { resealed }, options);
    });
  withFile(
    parent
      .command('retire')
      .description('a value of the setting without this key: what it signed is invalid from then on')
      .argument('<key>', 'its id, as `list` shows it')
      .option('--early', 'also when something that it signed may still be valid'),
  ).action(async (id: string, options: OutputOptions & { early?: boolean }) => {
    const { setting, value } = await retireKey(await world.open(), id, options);
    await put(world, value, options);
    steps(world, [
      `${setting} with this value on every node: restart them one after the other, in any order.`,
    ]);
  });
}

function addAdd(parent: Command, world: World): void {
  const add = (name: string, setting: string): Command =>
    withFile(
      parent
        .command(name)
        .description(`a value of ${setting} with a new key, which is accepted and not used yet`),
    );
  const printNext = (setting: KeySetting, id: string): void =>
    steps(world, [
      `${setting} with this value on every node: restart them one after the other, in any order.`,
      ...(setting === 'SIGNING_JWKS'
        ? ['Wait until applications have read the published keys: a day, if you do not know better.']
        : []),
      `\`anteroom keys use ${id}\`: it checks that every node knows the key.`,
    ]);
  add('add', 'SIGNING_JWKS')
    .option('--region', 'of REGION_SIGNING_JWKS instead')
    .addOption(new Option('--alg <algorithm>', 'what it signs with').choices(algorithms).default('RS256'))
    .action(async ({ region, alg, ...options }: OutputOptions & { alg: Algorithm; region?: boolean }) => {
      const setting = region === true ? 'REGION_SIGNING_JWKS' : 'SIGNING_JWKS';
      const { id, value } = await addSigningKey(await world.open(), setting, alg);
      await put(world, value, options);
      printNext(setting, id);
    });
  add('add-secret', 'SECRETS').action(async (options: OutputOptions) => {
    const { id, value } = addSecret(await world.open());
    await put(world, value, options);
    printNext('SECRETS', id);
  });
}

function addUse(parent: Command, world: World): void {
  parent
    .command('use')
    .description('sign and encrypt with this key from the next start of each node on')
    .argument('<key>', 'its id, as `list` shows it')
    .option('--despite-nodes', 'also when a node does not know it: what others sign then fails there')
    .action(async (id: string, options: CommonOptions & { despiteNodes?: boolean }) => {
      const setting = await startUsingKey(await world.open(), id, options);
      await world.terminal.print(`${setting}: ${id} is in use`);
      steps(world, [
        'Restart the nodes one after the other, in any order: each signs with it from then on, and accepts what the others sign.',
        ...(setting === 'SECRETS' ? ['`anteroom keys reseal`: encrypts stored secrets with it.'] : []),
        `${setting === 'SECRETS' ? 'After 30 days' : 'After an hour'}: \`anteroom keys retire <key>\` for the old one.`,
      ]);
    });
}

function withFile(command: Command): Command {
  return command.option(
    '--file <file>',
    'write the value there, readable by you alone, instead of to standard output',
  );
}

/** Prints a value of a setting, which is secret, or writes it to a new file. */
async function put({ terminal, startedIn }: World, value: string, { file }: OutputOptions): Promise<void> {
  if (file === undefined) {
    await terminal.print(value);
    return;
  }
  await writeFile(resolve(startedIn, file), `${value}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: unknown) => {
      throw new RefusedError(`${file} cannot be written: ${error instanceof Error ? error.message : ''}`);
    },
  );
}

function steps({ terminal }: World, next: readonly string[]): void {
  terminal.note('Next:');
  for (const [index, step] of next.entries()) terminal.note(`${index + 1}. ${step}`);
}
