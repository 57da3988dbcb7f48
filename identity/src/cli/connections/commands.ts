import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addOne, completeEntry, defineAdd, readGiven } from '../add-command.ts';
import type { AddOptions } from '../add-command.ts';
import { addListCommand } from '../listing/list-command.ts';
import { columns, harmlessText } from '../listing/list-formats.ts';
import { printRecord } from '../listing/show-record.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError, UsageError } from '../problems.ts';
import { readPiped } from '../secret-input.ts';
import { endSessions } from '../../openid/end-sessions.ts';
import { noteEnded } from '../sessions/note-ended.ts';
import { addSwitchCommands } from '../switch-commands.ts';
import type { Workbench } from '../workbench.ts';
import { mayAsk } from '../world.ts';
import type { CommonOptions, World } from '../world.ts';
import { connections, createConnections } from './connections.ts';
import { findConnections } from './present-connections.ts';
import type { PresentConnection } from './present-connections.ts';
import { readMetadata } from './read-metadata.ts';
import { tryConnection } from './try-connection.ts';

type SaveOptions = AddOptions & {
  metadata?: string;
  certificateFile?: string[];
  secretStdin?: boolean;
  publicClient?: boolean;
};

/** Metadata of a whole federation is another matter: one provider's is a few kilobytes. */
const largestFileBytes = 512 * 1024;
/** No provider gives longer ones. */
const longestSecret = 4096;

export function addConnectionCommands(parent: Command, world: World): void {
  addListCommand(parent, world, connections);
  parent
    .command('show')
    .description('everything that is kept of one; never its secret')
    .argument('<name>', connections.fields.name.help)
    .action(async (name: string, options: CommonOptions) => {
      const { entry, row } = await requireConnection(await world.open(), name);
      const secret = row.secret_sealed === null ? 'none' : 'kept sealed';
      await printRecord(world, { ...entry, secret, updatedAt: row.updated_at.toISOString() }, options);
    });
  for (const verb of ['add', 'update'] as const) {
    defineAdd(parent, connections, verb)
      .option(
        '--metadata <file>',
        "SAML: the provider's metadata; it says issuer, addresses and certificates",
      )
      .option('--certificate-file <file...>', 'SAML: signing certificates as PEM, two while one takes over')
      .option('--secret-stdin', "OpenID: the client's secret is on standard input")
      .option('--public-client', 'OpenID: there is no secret')
      .action(async (...given: unknown[]) => saveConnection(world, given, verb));
  }
  addSwitchCommands(parent, world, connections, {
    disable: 'nobody signs in over it, and sessions that came over it end',
    enable: 'people sign in over it again',
  });
  addTest(parent, world);
  addRemove(parent, world);
}

async function saveConnection(
  world: World,
  given: readonly unknown[],
  verb: 'add' | 'update',
): Promise<void> {
  const { values, options: said } = readGiven(connections, given);
  const options: SaveOptions = { ...said, ...(verb === 'update' && { update: true }) };
  const read = await readFiles(world, options);
  const bench = await world.open();
  const entry = await completeEntry(world, connections, { ...values, ...read }, options);
  const known = (await findConnections(bench.database)).get(entry.name);
  if (verb === 'update' && known === undefined)
    throw new RefusedError([{ reason: `there is no connection ${entry.name}` }]);
  const isOpenid = (entry.kind ?? known?.entry.kind) === 'openid';
  if (!isOpenid && (options.secretStdin === true || options.publicClient === true))
    throw new UsageError('a secret belongs to an OpenID connection');
  const needsSecret = known === undefined && entry.tokenAuthentication !== 'private_key_jwt';
  const secret = isOpenid ? await readSecret(world, options, needsSecret) : undefined;
  await addOne(world, bench, createConnections(bench.config, secret), entry, options);
}

/** What files say; an option of its own says it better. */
async function readFiles(world: World, options: SaveOptions): Promise<Record<string, unknown>> {
  const { metadata, certificateFile } = options;
  const described = metadata === undefined ? {} : readMetadata(await readText(world, metadata));
  if (certificateFile === undefined) return described;
  const texts = await Promise.all(certificateFile.map((file) => readText(world, file)));
  const certificates = texts.flatMap(
    (text) => text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [],
  );
  if (certificates.length === 0)
    throw new RefusedError([{ column: 'certificates', reason: 'there is no certificate (PEM) in the file' }]);
  return { ...described, certificates };
}

async function readText({ startedIn }: World, file: string): Promise<string> {
  const bytes = await readFile(resolve(startedIn, file)).catch((error: unknown) => {
    throw new RefusedError([
      { reason: `${file} cannot be read: ${error instanceof Error ? error.message : ''}` },
    ]);
  });
  if (bytes.length > largestFileBytes) throw new RefusedError([{ reason: `${file} is too large` }]);
  return bytes.toString('utf8');
}

/** Never an argument, where every process of the machine could read it. Undefined leaves what is kept. */
async function readSecret(
  world: World,
  options: SaveOptions,
  needsSecret: boolean,
): Promise<string | null | undefined> {
  if (options.publicClient === true) return null;
  if (options.secretStdin === true) {
    const secret = await readPiped(world.terminal.input, longestSecret);
    if (secret === '') throw new RefusedError([{ column: 'secret', reason: 'standard input is empty' }]);
    return secret;
  }
  if (!needsSecret || options.dryRun === true) return undefined;
  if (!mayAsk(world, options))
    throw new UsageError('--secret-stdin or --public-client is needed where nobody can type the secret');
  const typed = await world.terminal.askSecret('Client secret (empty for a public client)');
  return typed === '' ? null : typed;
}

function addTest(parent: Command, world: World): void {
  parent
    .command('test')
    .description('look at it as a sign-in would use it, and say what the other side has to register')
    .argument('<name>', connections.fields.name.help)
    .action(async (name: string, { json }: CommonOptions) => {
      const bench = await world.open();
      const findings = await tryConnection(bench, (await requireConnection(bench, name)).row.id);
      const shown = findings.map(({ what, holds, seen }) => ({ what, holds, seen }));
      const { format } = columns(['holds', 'what', 'seen'], shown);
      for (const finding of shown)
        await world.terminal.print(json === true ? JSON.stringify(finding) : format(finding));
      const failed = findings.filter(({ holds }) => !holds);
      if (failed.length > 0)
        throw new RefusedError(failed.map(({ what, seen }) => ({ column: what, reason: seen })));
    });
}

function addRemove(parent: Command, world: World): void {
  parent
    .command('remove')
    .description(
      'nobody signs in over it any more; who somebody was there is forgotten, and sessions that came over it end',
    )
    .argument('<name>', connections.fields.name.help)
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async (name: string, { json, dryRun }: CommonOptions & { dryRun?: boolean }) => {
      const bench = await world.open();
      const { row } = await requireConnection(bench, name);
      if (dryRun !== true) await removeConnection(bench, row);
      const said = `${dryRun === true ? 'remove' : 'removed'} ${harmlessText(row.name)}`;
      await world.terminal.print(
        json === true ? JSON.stringify({ removed: [row.name], dryRun: dryRun === true }) : said,
      );
    });
}

async function removeConnection(bench: Workbench, { id, name }: PresentConnection['row']): Promise<void> {
  const now = bench.clock.now();
  await bench.database.transaction().execute(async (transaction) => {
    await noteEnded(transaction, now, await endSessions(transaction, { connectionId: id }, now));
    await transaction
      .updateTable('sites')
      .set({ connection_id: null })
      .where('connection_id', '=', id)
      .execute();
    await transaction.deleteFrom('connections').where('id', '=', id).execute();
    const details = { noun: 'connections', verb: 'remove' };
    await noteOperatorEvents(transaction, now, [{ event: 'operator.change', connection: name, details }]);
  });
  await bench.tellApplications();
}

async function requireConnection({ database }: Workbench, name: string): Promise<PresentConnection> {
  const found = (await findConnections(database)).get(name.trim().toLowerCase());
  if (found === undefined) throw new RefusedError([{ reason: `there is no connection ${name}` }]);
  return found;
}
