import type { Command } from 'commander';
import { findWarningsOfClient } from '../admin/client-checks.ts';
import { clients, replaceClientSecret } from '../admin/clients.ts';
import { escapeControls } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

export function addClientCommands(parent: Command, cli: CliContext): void {
  addResourceCommands(parent, cli, clients, {
    async afterwards({ terminal }, { added, changed, secrets = [] }, options, { config, database }) {
      if (options.dryRun === true) return;
      for (const id of [...added, ...changed.map(({ name }) => name)])
        for (const warning of findWarningsOfClient((await clients.require(database, { id })).entry, config))
          terminal.note(`warning: ${escapeControls(warning)}`);
      for (const [id, secret] of secrets) await showSecret(cli, id, secret, options);
    },
  });
  parent
    .command('secret')
    .description('create a new secret and show it once; the previous secret becomes invalid')
    .argument('<id>', clients.fields['id']?.help)
    .action(async (id: string, options: CommonOptions) =>
      showSecret(cli, id, await replaceClientSecret(await cli.open(), id), options),
    );
}

/** The secret cannot be shown again, because only its fingerprint is stored. */
async function showSecret(
  { terminal }: CliContext,
  id: string,
  secret: string,
  { json }: CommonOptions,
): Promise<void> {
  if (json !== true) terminal.note('The secret of the client, which cannot be shown again:');
  await terminal.print(json === true ? JSON.stringify({ id, secret }) : secret);
}
