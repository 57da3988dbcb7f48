import type { Command } from 'commander';
import { addOne, completeEntry, defineAdd, readGiven } from '../add-command.ts';
import type { AddOptions } from '../add-command.ts';
import { addListCommand } from '../listing/list-command.ts';
import { harmlessText } from '../listing/list-formats.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError } from '../problems.ts';
import { fingerprint } from '../../openid/fingerprint.ts';
import { revokeGrantsOfClient } from './remove-client.ts';
import type { CommonOptions, World } from '../world.ts';
import { printRecord } from '../listing/show-record.ts';
import { findDoubtsOfClient } from './client-faults.ts';
import { hasSecret } from './client-metadata.ts';
import { clients, createClients, createFaultFinder } from './clients.ts';
import { findClientsById } from './present-clients.ts';
import type { PresentClient } from './present-clients.ts';
import type { Workbench } from '../workbench.ts';

export function addClientCommands(parent: Command, world: World): void {
  addListCommand(parent, world, clients);
  parent
    .command('show')
    .description('everything that is registered of one; never its secret')
    .argument('<id>', clients.fields.id.help)
    .action(async (id: string, options: CommonOptions) => {
      const { entry, row } = await requireClient(await world.open(), id);
      await printRecord(world, { ...entry, createdAt: row.created_at.toISOString() }, options);
    });
  defineAdd(parent, clients).action(async (...given: unknown[]) => saveClient(world, given, {}));
  defineAdd(parent, clients, 'update').action(async (...given: unknown[]) =>
    saveClient(world, given, { update: true }),
  );
  addSecret(parent, world);
  addRemove(parent, world);
}

async function saveClient(world: World, given: readonly unknown[], forced: AddOptions): Promise<void> {
  const { values, options: said } = readGiven(clients, given);
  const options: AddOptions = { ...said, ...forced };
  const bench = await world.open();
  const secrets = new Map<string, string>();
  const noun = createClients(await createFaultFinder(bench), secrets);
  const entry = await completeEntry(world, noun, values, options);
  if (forced.update === true) await requireClient(bench, entry.id);
  await addOne(world, bench, noun, entry, options);
  const present = (await findClientsById(bench.database, [entry.id])).get(entry.id);
  if (present !== undefined)
    for (const doubt of findDoubtsOfClient(present.entry, bench.config))
      world.terminal.note(`note: ${harmlessText(doubt)}`);
  const secret = secrets.get(entry.id);
  if (secret !== undefined) await showSecret(world, entry.id, secret, options);
}

/** Nobody can ask for it again: the database has its fingerprint. */
async function showSecret(
  { terminal }: World,
  id: string,
  secret: string,
  { json }: CommonOptions,
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify({ id, secret }));
    return;
  }
  terminal.note('The secret of the client is shown this once:');
  await terminal.print(secret);
}

function addSecret(parent: Command, world: World): void {
  parent
    .command('secret')
    .description('make a new secret, shown once; the one before is worth nothing from then on')
    .argument('<id>', clients.fields.id.help)
    .action(async (id: string, options: CommonOptions) => {
      const bench = await world.open();
      const { entry } = await requireClient(bench, id);
      if (!hasSecret(entry))
        throw new RefusedError([
          { reason: `${id} proves itself with ${entry.authentication ?? 'none'}, not with a secret` },
        ]);
      const { random } = await bench.services();
      const secret = random.token();
      await bench.database.transaction().execute(async (transaction) => {
        const present = (await findClientsById(transaction, [id])).get(id);
        const metadata = { ...present?.row.metadata, client_secret: fingerprint(secret) };
        await transaction
          .updateTable('clients')
          .set({ metadata: JSON.stringify(metadata) })
          .where('id', '=', id)
          .execute();
        const details = { noun: 'clients', verb: 'secret' };
        await noteOperatorEvents(transaction, bench.clock.now(), [
          { event: 'operator.change', clientId: id, details },
        ]);
      });
      await showSecret(world, id, secret, options);
    });
}

function addRemove(parent: Command, world: World): void {
  parent
    .command('remove')
    .description('nobody signs in at the application any more; what it holds of people ends at once')
    .argument('<id>', clients.fields.id.help)
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async (id: string, { json, dryRun }: CommonOptions & { dryRun?: boolean }) => {
      const bench = await world.open();
      await requireClient(bench, id);
      if (dryRun !== true) {
        await bench.database.transaction().execute(async (transaction) => {
          await revokeGrantsOfClient(transaction, id);
          await transaction.deleteFrom('client_entitlements').where('client_id', '=', id).execute();
          await transaction.deleteFrom('clients').where('id', '=', id).execute();
          const details = { noun: 'clients', verb: 'remove' };
          await noteOperatorEvents(transaction, bench.clock.now(), [
            { event: 'operator.change', clientId: id, details },
          ]);
        });
      }
      const said = dryRun === true ? 'remove' : 'removed';
      await world.terminal.print(
        json === true
          ? JSON.stringify({ removed: [id], dryRun: dryRun === true })
          : `${said} ${harmlessText(id)}`,
      );
    });
}

async function requireClient({ database }: Workbench, id: string): Promise<PresentClient> {
  const found = (await findClientsById(database, [id])).get(id);
  if (found === undefined) throw new RefusedError([{ reason: `there is no client ${id}` }]);
  return found;
}
