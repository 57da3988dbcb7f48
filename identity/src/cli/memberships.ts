import { Option } from 'commander';
import type { Command } from 'commander';
import { labelFields, listClientLabels, memberships, setClientLabel } from '../admin/memberships.ts';
import { printList, printResult } from './output.ts';
import type { ListOptions } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

export function addMembershipCommands(parent: Command, cli: CliContext): void {
  addResourceCommands(parent, cli, memberships);
  parent
    .command('label')
    .description("set the label that one application shows beside a user's site; empty text removes it")
    .argument('<userName>', 'user name or e-mail')
    .argument('<site>', 'name of the site')
    .argument('<client>', 'id of the application')
    .argument('<label>', 'the label')
    .action(async (userName: string, site: string, client: string, given: string, options: CommonOptions) => {
      const context = await cli.open();
      const { name, label } = await setClientLabel(context, { userName, site, client, label: given });
      const done = label === null ? 'label removed' : 'label set';
      await printResult(cli, `${name}: ${done}`, { name, label }, options);
    });
  parent
    .command('labels')
    .description('list the labels of single applications')
    .addOption(new Option('--client <id>', 'labels of this application'))
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action(async ({ client, ...options }: ListOptions & { client?: string }) => {
      const { database } = await cli.open();
      await printList(cli, await listClientLabels(database, client), options, { fields: labelFields });
    });
}
