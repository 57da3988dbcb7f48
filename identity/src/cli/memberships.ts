import { Option } from 'commander';
import type { Command } from 'commander';
import { labelFields, listClientLabels, memberships, setClientLabel } from '../admin/memberships.ts';
import { printList, printResult } from './output.ts';
import type { ListOptions } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import type { CommonOptions, World } from './world.ts';

export function addMembershipCommands(parent: Command, world: World): void {
  addResourceCommands(parent, world, memberships);
  parent
    .command('label')
    .description("an application's own label beside a user's site; an empty text takes it away")
    .argument('<userName>', 'user name or e-mail')
    .argument('<site>', 'name of the site')
    .argument('<client>', 'id of the application')
    .argument('<label>', 'the label')
    .action(async (userName: string, site: string, client: string, given: string, options: CommonOptions) => {
      const context = await world.open();
      const { name, label } = await setClientLabel(context, { userName, site, client, label: given });
      const done = label === null ? 'label taken away' : 'label set';
      await printResult(world, `${name}: ${done}`, { name, label }, options);
    });
  parent
    .command('labels')
    .description("applications' own labels")
    .addOption(new Option('--client <id>', 'of this application'))
    .addOption(new Option('--csv', 'as CSV').conflicts('json'))
    .action(async ({ client, ...options }: ListOptions & { client?: string }) => {
      const { database } = await world.open();
      await printList(world, await listClientLabels(database, client), options, { fields: labelFields });
    });
}
