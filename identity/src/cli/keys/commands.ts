import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { findSealedWith, resealSecrets } from '../../enterprise/sealed-secrets.ts';
import type { SigningKey } from '../../lib/keys.ts';
import { columns, jsonLines } from '../listing/list-formats.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';
import type { CommonOptions, World } from '../world.ts';
import { algorithms, makeSigningKey } from './make-key.ts';
import type { Algorithm } from './make-key.ts';

// Keys are settings (decision 024): these commands say which are in use and write the next value of a setting. They change nothing that
// runs; the steps of a rotation are told with each.

type OutputOptions = CommonOptions & { file?: string; region?: boolean };

export function addKeyCommands(parent: Command, world: World): void {
  addList(parent, world);
  withOutput(
    parent
      .command('add')
      .description(
        'the next value of SIGNING_JWKS, with a new key at its end: published, and not signed with yet',
      )
      .addOption(new Option('--alg <algorithm>', 'what it signs with').choices(algorithms).default('RS256')),
  ).action(async (options: OutputOptions & { alg: Algorithm }) => {
    const { keys, setting } = await findSigning(await world.open(), options);
    const made = makeSigningKey(options.alg);
    await put(world, JSON.stringify({ keys: [...keys, made] }), options);
    steps(world, [
      `${setting} with this value on every node, and restart them one after the other: ${made.kid} is published.`,
      'Wait until whoever checks signatures has read it: a day, where you know nothing better.',
      `Then \`anteroom keys use ${made.kid}\`.`,
    ]);
  });
  withOutput(
    parent
      .command('use')
      .description('the next value of SIGNING_JWKS, with this key first: the one that is signed with')
      .argument('<kid>', 'as `list` names it'),
  ).action(async (kid: string, options: OutputOptions) => {
    const { keys, setting } = await findSigning(await world.open(), options);
    const [chosen, others] = take(keys, kid);
    await put(world, JSON.stringify({ keys: [chosen, ...others] }), options);
    steps(world, [
      `${setting} with this value on every node, and restart them one after the other.`,
      'Wait an hour: what the others have signed is over by then.',
      'Then `anteroom keys retire <kid>` for each that is to go.',
    ]);
  });
  withOutput(
    parent
      .command('retire')
      .description(
        'the next value of SIGNING_JWKS, without this key: what it has signed is worth nothing from then on',
      )
      .argument('<kid>', 'as `list` names it'),
  ).action(async (kid: string, options: OutputOptions) => {
    const { keys, setting } = await findSigning(await world.open(), options);
    const [, others] = take(keys, kid);
    if (keys[0]?.kid === kid)
      throw new RefusedError([
        { reason: `${kid} is the one that is signed with: \`anteroom keys use\` another one first` },
      ]);
    await put(world, JSON.stringify({ keys: others }), options);
    steps(world, [`${setting} with this value on every node, and restart them one after the other.`]);
  });
  addSecretCommands(parent, world);
}

function addSecretCommands(parent: Command, world: World): void {
  withOutput(
    parent
      .command('add-secret')
      .description('the next value of SECRETS, with a new one first; nobody is signed out'),
    { region: false },
  ).action(async (options: OutputOptions) => {
    const bench = await world.open();
    const { random } = await bench.services();
    await put(world, [random.token(), ...requireSecrets(bench)].join(','), options);
    steps(world, [
      'SECRETS with this value on every node, and restart them one after the other: what was made with the old ones still counts.',
      '`anteroom keys reseal`: secrets of connections are sealed with the new one.',
      'Wait a month, which is how long a private computer is remembered. Then `anteroom keys retire-secret`.',
    ]);
  });
  parent
    .command('reseal')
    .description("seal connections' secrets anew with the first of SECRETS")
    .action(async ({ json }: CommonOptions) => {
      const bench = await world.open();
      const { keys, random } = await bench.services();
      const resealed = await bench.database.transaction().execute(async (transaction) => {
        const names = await resealSecrets(transaction, keys, random);
        const details = { noun: 'connections', verb: 'reseal' };
        const events = names.map((connection) => ({
          event: 'operator.change' as const,
          connection,
          details,
        }));
        await noteOperatorEvents(transaction, bench.clock.now(), events);
        return names;
      });
      await world.terminal.print(
        json === true ? JSON.stringify({ resealed }) : `${resealed.length} sealed anew`,
      );
    });
  withOutput(
    parent
      .command('retire-secret')
      .description(
        'the next value of SECRETS, without the oldest: what was made with it is worth nothing from then on',
      ),
    { region: false },
  ).action(async (options: OutputOptions) => {
    const bench = await world.open();
    const secrets = requireSecrets(bench);
    if (secrets.length < 2)
      throw new RefusedError([{ reason: 'there is one secret alone: `anteroom keys add-secret` first' }]);
    const { keys } = await bench.services();
    const held = await findSealedWith(bench.database, keys, secrets.length - 1);
    if (held.length > 0)
      throw new RefusedError(
        held.map((name) => ({
          reason: `the secret of connection ${name} is sealed with it: \`anteroom keys reseal\` first`,
        })),
      );
    await put(world, secrets.slice(0, -1).join(','), options);
    steps(world, ['SECRETS with this value on every node, and restart them one after the other.']);
  });
}

function addList(parent: Command, world: World): void {
  parent
    .command('list')
    .description('which keys are in use, by their names; never a key itself')
    .action(async ({ json }: CommonOptions) => {
      const bench = await world.open();
      const { keys } = await bench.services();
      const { config } = bench;
      const signing = (setting: string, all: readonly SigningKey[], isSet: boolean) =>
        all.map(({ kid, alg }, index) => ({
          setting,
          key: kid,
          kind: alg,
          use: index === 0 ? 'signs' : 'published',
          from: isSet ? 'the setting' : 'the database (made for trying out)',
        }));
      const shown = [
        ...signing('SIGNING_JWKS', keys.signing.keys, config.signing !== undefined),
        ...signing(
          'REGION_SIGNING_JWKS',
          keys.regionSigning?.keys ?? [],
          config.regions?.signing !== undefined,
        ),
        ...(config.secrets ?? []).map((secret, index) => ({
          setting: 'SECRETS',
          // enough to tell two apart, and nothing to guess 256 bits with
          key: createHash('sha256').update(secret).digest('hex').slice(0, 8),
          kind: 'secret',
          use: index === 0 ? 'present' : 'accepted',
          from: 'the setting',
        })),
      ];
      const { heading, format } =
        json === true ? jsonLines : columns(['setting', 'key', 'kind', 'use', 'from'], shown);
      if (heading !== undefined) await world.terminal.print(heading);
      for (const key of shown) await world.terminal.print(format(key));
    });
}

function withOutput(command: Command, { region } = { region: true }): Command {
  if (region) command.option('--region', 'of REGION_SIGNING_JWKS instead');
  return command.option(
    '--file <file>',
    'write the value there, readable by you alone, instead of to standard output',
  );
}

async function findSigning(
  bench: Workbench,
  { region }: OutputOptions,
): Promise<{ keys: SigningKey[]; setting: string }> {
  const { keys } = await bench.services();
  if (region !== true) return { keys: keys.signing.keys, setting: 'SIGNING_JWKS' };
  if (keys.regionSigning === undefined)
    throw new RefusedError([{ reason: 'there is one region alone (REGIONS is not set)' }]);
  return { keys: keys.regionSigning.keys, setting: 'REGION_SIGNING_JWKS' };
}

function requireSecrets({ config }: Workbench): readonly string[] {
  if (config.secrets === undefined)
    throw new RefusedError([
      {
        reason: 'SECRETS is not set: the secret in use was made for trying out, and is kept in the database',
      },
    ]);
  return config.secrets;
}

function take(keys: readonly SigningKey[], kid: string): [SigningKey, SigningKey[]] {
  const chosen = keys.find((key) => key.kid === kid);
  if (chosen === undefined) throw new RefusedError([{ reason: `there is no key ${kid}` }]);
  return [chosen, keys.filter((key) => key !== chosen)];
}

/** A value of a setting, which is secret. A file that is there already is left alone. */
async function put({ terminal, startedIn }: World, value: string, { file }: OutputOptions): Promise<void> {
  if (file === undefined) {
    await terminal.print(value);
    return;
  }
  await writeFile(resolve(startedIn, file), `${value}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: unknown) => {
      throw new RefusedError([
        { reason: `${file} cannot be written: ${error instanceof Error ? error.message : ''}` },
      ]);
    },
  );
}

function steps({ terminal }: World, next: readonly string[]): void {
  terminal.note('Nothing has changed yet. Next:');
  for (const [index, step] of next.entries()) terminal.note(`${index + 1}. ${step}`);
}
