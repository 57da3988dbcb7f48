import type { Command } from 'commander';
import { addAddCommand } from '../add-command.ts';
import { addImportCommand } from '../importing/import-command.ts';
import { addListCommand } from '../listing/list-command.ts';
import { harmlessText } from '../listing/list-formats.ts';
import { addSwitchCommands } from '../switch-commands.ts';
import type { CommonOptions, World } from '../world.ts';
import { addLabelCommands } from './labels.ts';
import { members } from './members.ts';
import { removeMember } from './remove-member.ts';
import { nameOf } from './save-members.ts';

export function addMemberCommands(parent: Command, world: World): void {
  addAddCommand(parent, world, members);
  addListCommand(parent, world, members);
  addSwitchCommands(parent, world, members, {
    disable: 'the entitlement requirements are not met: the site is shown and cannot be entered',
    enable: 'the entitlement requirements are met',
  });
  parent
    .command('remove')
    .description('the person does not belong to the site any more')
    .argument('<userName>', members.fields.userName.help)
    .argument('<site>', members.fields.site.help)
    .action(async (userName: string, site: string, { json }: CommonOptions) => {
      await removeMember(await world.open(), userName, site);
      const name = nameOf({ userName, site });
      await world.terminal.print(
        json === true ? JSON.stringify({ removed: [name] }) : `removed ${harmlessText(name)}`,
      );
    });
  addLabelCommands(parent, world);
  addImportCommand(parent, world, members);
}
