import type { Command } from 'commander';
import { addAddCommand } from '../add-command.ts';
import { addImportCommand } from '../importing/import-command.ts';
import { addListCommand } from '../listing/list-command.ts';
import { addSwitchCommands } from '../switch-commands.ts';
import type { World } from '../world.ts';
import { sites } from './sites.ts';

export function addSiteCommands(parent: Command, world: World): void {
  addAddCommand(parent, world, sites);
  addListCommand(parent, world, sites);
  addSwitchCommands(parent, world, sites, {
    disable: 'nobody finds the site any more, and sessions at it end; what is kept of it stays',
    enable: 'the site is found again',
  });
  addImportCommand(parent, world, sites);
}
