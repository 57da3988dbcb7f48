import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { findSealedWith, resealSecrets } from '../../enterprise/sealed-secrets.ts';
import { entriesOf, listKeysInUse, useKey } from '../../keys/keys-in-use.ts';
import { listLiveNodes } from '../../keys/nodes.ts';
import type { LiveNode } from '../../keys/nodes.ts';
import { addSeconds } from '../../lib/clock.ts';
import { secretId } from '../../lib/keys.ts';
import type { KeySetting, SigningKey } from '../../lib/keys.ts';
import { columns, jsonLines } from '../listing/list-formats.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';
import type { CommonOptions, World } from '../world.ts';
import { algorithms, makeSigningKey } from './make-key.ts';
import type { Algorithm } from './make-key.ts';

// A rotation (decision 036): `add` prints a value of the setting with a new key, which every node gets; `use` makes it the one that signs,
// once every node knows it; `retire` prints the value without the old key, once nothing that it made is valid any more. Nodes may be
// restarted in any order at each step.

/** How long something that the key made stays valid: a remembered computer for 30 days, an ID token for an hour. */
const longestLifeSeconds: Readonly<Record<KeySetting, number>> = {
  SECRETS: 30 * 24 * 3600,
  SIGNING_JWKS: 3600,
  REGION_SIGNING_JWKS: 3600,
};

type OutputOptions = CommonOptions & { file?: string };

export function addKeyCommands(parent: Command, world: World): void {
  addInit(parent, world);
  addList(parent, world);
  addAdd(parent, world);
  addUse(parent, world);
  addReseal(parent, world);
  addRetire(parent, world);
}

function addInit(parent: Command, world: World): void {
  withFile(
    parent.command('init').description('the first SECRETS and SIGNING_JWKS of an installation, one a line'),
  ).action(async (options: OutputOptions) => {
    const secret = randomBytes(32).toString('base64url');
    const signing = JSON.stringify({ keys: [makeSigningKey('RS256')] });
    await put(world, `SECRETS=${secret}\nSIGNING_JWKS=${signing}`, options);
    world.terminal.note('Give every node both, and keep them apart from backups of the database.');
  });
}

function addList(parent: Command, world: World): void {
  parent
    .command('list')
    .description(
      'the keys of the settings by their ids, never a key itself; which is in use, which nodes know it',
    )
    .action(async ({ json }: CommonOptions) => {
      const bench = await world.open();
      const { keys } = await bench.services();
      const nodes = await listLiveNodes(bench);
      const inUse = await listKeysInUse(bench.database);
      const shown = entriesOf(keys.ids).flatMap(([setting, ids]) =>
        ids.map((id, index) => {
          const use = inUse.find((row) => row.setting === setting && row.id === id);
          return {
            setting,
            key: id,
            use: index === 0 ? 'in use' : 'accepted',
            since: use?.since.toISOString() ?? '',
            nodes: `${nodes.filter((node) => knows(node, setting, id)).length} of ${nodes.length}`,
          };
        }),
      );
      const { heading, format } =
        json === true ? jsonLines : columns(['setting', 'key', 'use', 'since', 'nodes'], shown);
      if (heading !== undefined) await world.terminal.print(heading);
      for (const key of shown) await world.terminal.print(format(key));
    });
}

function addAdd(parent: Command, world: World): void {
  const add = (name: string, setting: string): Command =>
    withFile(
      parent
        .command(name)
        .description(`a value of ${setting} with a new key, which is accepted and not used yet`),
    );
  const next = (setting: KeySetting, id: string): string[] => [
    `${setting} with this value on every node: restart them one after the other, in any order.`,
    ...(setting === 'SIGNING_JWKS'
      ? ['Wait until applications have read the published keys: a day, when you know nothing better.']
      : []),
    `\`anteroom keys use ${id}\`: it checks that every node knows the key.`,
  ];
  add('add', 'SIGNING_JWKS')
    .option('--region', 'of REGION_SIGNING_JWKS instead')
    .addOption(new Option('--alg <algorithm>', 'what it signs with').choices(algorithms).default('RS256'))
    .action(async ({ region, ...options }: OutputOptions & { alg: Algorithm; region?: boolean }) => {
      const setting = region === true ? 'REGION_SIGNING_JWKS' : 'SIGNING_JWKS';
      const keys = await requireSigningKeys(await world.open(), setting);
      const made = makeSigningKey(options.alg);
      await put(world, JSON.stringify({ keys: [...keys, made] }), options);
      steps(world, next(setting, made.kid));
    });
  add('add-secret', 'SECRETS').action(async (options: OutputOptions) => {
    const bench = await world.open();
    const made = randomBytes(32).toString('base64url');
    await put(world, [...requireSecrets(bench), made].join(','), options);
    steps(world, next('SECRETS', secretId(made)));
  });
}

function addUse(parent: Command, world: World): void {
  parent
    .command('use')
    .description('sign and seal with this key from the next start of each node on')
    .argument('<key>', 'its id, as `list` shows it')
    .option('--despite-nodes', 'also when a node does not know it: what others make then fails there')
    .action(async (id: string, { despiteNodes }: CommonOptions & { despiteNodes?: boolean }) => {
      const bench = await world.open();
      const setting = await requireSetting(bench, id);
      const lacking = (await listLiveNodes(bench)).filter((node) => !knows(node, setting, id));
      if (lacking.length > 0 && despiteNodes !== true)
        throw new RefusedError(
          lacking.map(({ name }) => ({
            reason: `the node ${name} does not know ${id}: give it the new value of ${setting} and restart it first`,
          })),
        );
      const { production } = bench.config;
      await bench.database.transaction().execute(async (transaction) => {
        await useKey(transaction, { setting, id, production, now: bench.clock.now() });
        const details = { noun: 'keys', verb: 'use', name: id, setting };
        await noteOperatorEvents(transaction, bench.clock.now(), [{ event: 'operator.change', details }]);
      });
      await world.terminal.print(`${setting}: ${id} is in use`);
      steps(world, [
        'Restart the nodes one after the other, in any order: each signs with it from then on, and accepts what the others sign.',
        ...(setting === 'SECRETS'
          ? ['`anteroom keys reseal`: seals the secrets of connections with it.']
          : []),
        `${setting === 'SECRETS' ? 'After 30 days' : 'After an hour'}: \`anteroom keys retire <key>\` for the old one.`,
      ]);
    });
}

function addReseal(parent: Command, world: World): void {
  parent
    .command('reseal')
    .description('seal the secrets of connections with the secret in use')
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
        json === true ? JSON.stringify({ resealed }) : `${resealed.length} sealed again`,
      );
    });
}

function addRetire(parent: Command, world: World): void {
  withFile(
    parent
      .command('retire')
      .description('a value of the setting without this key: what it has made is worth nothing from then on')
      .argument('<key>', 'its id, as `list` shows it')
      .option('--early', 'also when something that it has made may still be valid'),
  ).action(async (id: string, options: OutputOptions & { early?: boolean }) => {
    const bench = await world.open();
    const setting = await requireSetting(bench, id);
    await refuseNeededKey(bench, setting, id, options.early === true);
    const value =
      setting === 'SECRETS'
        ? requireSecrets(bench)
            .filter((secret) => secretId(secret) !== id)
            .join(',')
        : JSON.stringify({
            keys: (await requireSigningKeys(bench, setting)).filter(({ kid }) => kid !== id),
          });
    await put(world, value, options);
    steps(world, [
      `${setting} with this value on every node: restart them one after the other, in any order.`,
    ]);
  });
}

async function refuseNeededKey(
  bench: Workbench,
  setting: KeySetting,
  id: string,
  isEarly: boolean,
): Promise<void> {
  const { keys } = await bench.services();
  const refuse = (reason: string): never => {
    throw new RefusedError([{ reason }]);
  };
  if (keys.ids[setting]?.[0] === id) refuse(`${id} is in use: \`anteroom keys use\` another one first`);
  const users = (await listLiveNodes(bench)).filter(({ keyIds }) => keyIds[setting]?.[0] === id);
  for (const { name } of users) refuse(`the node ${name} still uses ${id}: restart it first`);
  if (setting === 'SECRETS') {
    const index = keys.ids.SECRETS?.indexOf(id) ?? -1;
    for (const name of await findSealedWith(bench.database, keys, index))
      refuse(`the secret of connection ${name} is sealed with it: \`anteroom keys reseal\` first`);
  }
  const since = (await listKeysInUse(bench.database)).find((row) => row.setting === setting)?.since;
  const until = since && addSeconds(since, longestLifeSeconds[setting]);
  if (until !== undefined && until > bench.clock.now() && !isEarly)
    refuse(`what ${id} has made may be valid until ${until.toISOString()}; --early ends it now`);
}

function knows(node: LiveNode, setting: KeySetting, id: string): boolean {
  return node.keyIds[setting]?.includes(id) === true;
}

async function requireSetting(bench: Workbench, id: string): Promise<KeySetting> {
  const { keys } = await bench.services();
  const found = entriesOf(keys.ids).find(([, ids]) => ids.includes(id));
  if (found === undefined)
    throw new RefusedError([{ reason: `there is no key ${id} in the settings of this command` }]);
  return found[0];
}

async function requireSigningKeys(bench: Workbench, setting: KeySetting): Promise<readonly SigningKey[]> {
  const { keys } = await bench.services();
  if (setting === 'SIGNING_JWKS') return keys.signing.keys;
  if (keys.regionSigning === undefined)
    throw new RefusedError([{ reason: 'there is one region alone (REGIONS is not set)' }]);
  return keys.regionSigning.keys;
}

function requireSecrets({ config }: Workbench): readonly string[] {
  if (config.secrets === undefined)
    throw new RefusedError([
      { reason: 'SECRETS is not set: the secret in use was made for trying the product out' },
    ]);
  return config.secrets;
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
      throw new RefusedError([
        { reason: `${file} cannot be written: ${error instanceof Error ? error.message : ''}` },
      ]);
    },
  );
}

function steps({ terminal }: World, next: readonly string[]): void {
  terminal.note('Next:');
  for (const [index, step] of next.entries()) terminal.note(`${index + 1}. ${step}`);
}
