import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import {
  addSecret,
  addSigningKey,
  algorithms,
  createFirstKeys,
  keyFields,
  listKeys,
  resealStoredSecrets,
  retireKey,
  secretLifeDays,
  startUsingKey,
} from '../admin/keys.ts';
import type { Algorithm } from '../admin/keys.ts';
import { RefusedError } from '../admin/problems.ts';
import type { KeySetting } from '../lib/keys.ts';
import { printList, printResult } from './output.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

type OutputOptions = CommonOptions & { file?: string };

export function addKeyCommands(parent: Command, cli: CliContext): void {
  withFile(
    parent.command('init').description('create SECRETS and SIGNING_JWKS for a new installation'),
  ).action(async (options: OutputOptions) => {
    const lines = Object.entries(createFirstKeys()).map(([setting, value]) => `${setting}=${value}`);
    await writeValue(cli, lines.join('\n'), options);
    cli.terminal.note('Set both on every node, and store them separately from backups of the database.');
  });
  parent
    .command('list')
    .description('list the keys by id, without key material: which is in use, and how many nodes have it')
    .action(async (options: CommonOptions) =>
      printList(cli, await listKeys(await cli.open()), options, { fields: keyFields }),
    );
  addAddCommands(parent, cli);
  addUse(parent, cli);
  parent
    .command('reseal')
    .description('encrypt stored secrets with the secret in use')
    .action(async (options: CommonOptions) => {
      const resealed = await resealStoredSecrets(await cli.open());
      await printResult(cli, `${resealed.length} re-encrypted`, { resealed }, options);
    });
  withFile(
    parent
      .command('retire')
      .description(
        'print the setting without this key; once deployed, everything that the key signed is invalid',
      )
      .argument('<key>', 'the id of the key, as `list` shows it')
      .option('--early', 'even if something that the key signed may still be valid'),
  ).action(async (id: string, options: OutputOptions & { early?: boolean }) => {
    const { setting, value } = await retireKey(await cli.open(), id, options);
    await writeValue(cli, value, options);
    printSteps(cli, [
      `Set ${setting} to this value on every node, and restart the nodes one by one, in any order.`,
    ]);
  });
}

function addAddCommands(parent: Command, cli: CliContext): void {
  const add = (name: string, setting: string): Command =>
    withFile(
      parent.command(name).description(`print ${setting} with a new key, which is accepted but not used yet`),
    );
  const printNext = (setting: KeySetting, id: string): void =>
    printSteps(cli, [
      `Set ${setting} to this value on every node, and restart the nodes one by one, in any order.`,
      ...(setting === 'SIGNING_JWKS'
        ? [
            'Wait until applications have fetched the published keys: a day, if you do not know how long they cache them.',
          ]
        : []),
      `Run \`anteroom keys use ${id}\`, which checks that every node has the key.`,
    ]);
  add('add', 'SIGNING_JWKS')
    .option('--region', 'a key for REGION_SIGNING_JWKS instead')
    .addOption(new Option('--alg <algorithm>', 'the signing algorithm').choices(algorithms).default('RS256'))
    .action(async ({ region, alg, ...options }: OutputOptions & { alg: Algorithm; region?: boolean }) => {
      const setting = region === true ? 'REGION_SIGNING_JWKS' : 'SIGNING_JWKS';
      const { id, value } = await addSigningKey(await cli.open(), setting, alg);
      await writeValue(cli, value, options);
      printNext(setting, id);
    });
  add('add-secret', 'SECRETS').action(async (options: OutputOptions) => {
    const { id, value } = addSecret(await cli.open());
    await writeValue(cli, value, options);
    printNext('SECRETS', id);
  });
}

function addUse(parent: Command, cli: CliContext): void {
  parent
    .command('use')
    .description('make nodes sign and encrypt with this key after their next restart')
    .argument('<key>', 'its id, as `list` shows it')
    .option(
      '--despite-nodes',
      'even if a node does not have the key: it will reject what the other nodes sign',
    )
    .action(async (id: string, options: CommonOptions & { despiteNodes?: boolean }) => {
      const setting = await startUsingKey(await cli.open(), id, options);
      await cli.terminal.print(`${setting}: ${id} is in use`);
      printSteps(cli, [
        'Restart the nodes one by one, in any order. Each uses the key from its restart on, and accepts both keys.',
        ...(setting === 'SECRETS'
          ? ['Run `anteroom keys reseal` to encrypt the stored secrets with the key.']
          : []),
        `After ${setting === 'SECRETS' ? `${secretLifeDays} days` : 'an hour'}, run \`anteroom keys retire <key>\` for the old key.`,
      ]);
    });
}

function withFile(command: Command): Command {
  return command.option(
    '--file <file>',
    'write the value to a new file that only you can read, instead of standard output',
  );
}

/** Prints the secret value of a setting, or writes it to a new file. */
async function writeValue(
  { terminal, startedIn }: CliContext,
  value: string,
  { file }: OutputOptions,
): Promise<void> {
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

function printSteps({ terminal }: CliContext, next: readonly string[]): void {
  terminal.note('Next:');
  for (const [index, step] of next.entries()) terminal.note(`${index + 1}. ${step}`);
}
