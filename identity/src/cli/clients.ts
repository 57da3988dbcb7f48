import type { Command } from 'commander';
import { findDoubtsOfClient } from '../admin/client-checks.ts';
import { clients, replaceClientSecret } from '../admin/clients.ts';
import { harmlessText } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import type { CommonOptions, World } from './world.ts';

export function addClientCommands(parent: Command, world: World): void {
  addResourceCommands(parent, world, clients, {
    async afterwards({ terminal }, { added, changed, secrets = [] }, options, { config, database }) {
      if (options.dryRun === true) return;
      for (const id of [...added, ...changed.map(({ name }) => name)])
        for (const doubt of findDoubtsOfClient((await clients.require(database, { id })).entry, config))
          terminal.note(`note: ${harmlessText(doubt)}`);
      for (const [id, secret] of secrets) await showSecret(world, id, secret, options);
    },
  });
  parent
    .command('secret')
    .description('create a new secret, shown once; the previous one is invalid from then on')
    .argument('<id>', clients.fields['id']?.help)
    .action(async (id: string, options: CommonOptions) =>
      showSecret(world, id, await replaceClientSecret(await world.open(), id), options),
    );
}

/** The secret cannot be shown again: the database has its fingerprint. */
async function showSecret(
  { terminal }: World,
  id: string,
  secret: string,
  { json }: CommonOptions,
): Promise<void> {
  if (json !== true) terminal.note('The secret of the client is shown this once:');
  await terminal.print(json === true ? JSON.stringify({ id, secret }) : secret);
}
