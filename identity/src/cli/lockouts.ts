import { isIP } from 'node:net';
import { Option } from 'commander';
import type { Command } from 'commander';
import { clearLockouts, listLockouts, lockoutFields } from '../admin/lockouts.ts';
import type { LockoutSelection } from '../admin/lockouts.ts';
import { printList, printResult } from './output.ts';
import type { ListOptions } from './output.ts';
import { UsageError } from './usage-errors.ts';
import type { CommonOptions, World } from './world.ts';

type ClearOptions = CommonOptions & { user?: string; address?: string; codes?: boolean };

export function addLockoutCommands(parent: Command, world: World): void {
  parent
    .command('list')
    .description(
      'users and addresses that are refused after failures, and budgets of code messages that are used up',
    )
    .option('--user <userName>', 'of this user (user name or e-mail)')
    .addOption(new Option('--csv', 'as CSV').conflicts('json'))
    .action(async ({ user, ...options }: ListOptions & { user?: string }) =>
      printList(world, await listLockouts(await world.open(), { user }), options, { fields: lockoutFields }),
    );
  parent
    .command('clear')
    .description(
      'forget the failures of a user or an address, or the codes that were sent: the next attempt counts as the first',
    )
    .option('--user <userName>', 'of this user, with the codes sent to the user')
    .option('--address <address>', 'of this IP address and the networks that it is counted in')
    .option('--codes', 'code messages to all users; the budgets begin again')
    .action(async (options: ClearOptions) => {
      const { counters, codeMessages } = await clearLockouts(await world.open(), toSelection(options));
      const sentence = `forgotten: ${counters} counters of failures, ${codeMessages} code messages`;
      await printResult(world, sentence, { counters, codeMessages }, options);
    });
}

/** @throws UsageError unless exactly one is given */
function toSelection({ user, address, codes }: ClearOptions): LockoutSelection {
  if (address !== undefined && isIP(address) === 0) throw new UsageError('--address must be an IP address');
  const given: LockoutSelection[] = [
    ...(user === undefined ? [] : [{ user }]),
    ...(address === undefined ? [] : [{ address }]),
    ...(codes === true ? [{ codes: true as const }] : []),
  ];
  const [selection] = given;
  if (selection === undefined || given.length !== 1)
    throw new UsageError('one of --user, --address and --codes is needed');
  return selection;
}
