import { isIP } from 'node:net';
import { Option } from 'commander';
import type { Command } from 'commander';
import { clearLockouts, listLockouts, lockoutFields } from '../admin/lockouts.ts';
import type { LockoutSelection } from '../admin/lockouts.ts';
import { printList, printResult } from './output.ts';
import type { ListOptions } from './output.ts';
import { UsageError } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

type ClearOptions = CommonOptions & { user?: string; address?: string; codes?: boolean };

export function addLockoutCommands(parent: Command, cli: CliContext): void {
  parent
    .command('list')
    .description(
      'list users and addresses that are refused after failures, and exhausted limits of sent codes',
    )
    .option('--user <userName>', 'lockouts of this user (user name or e-mail)')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action(async ({ user, ...options }: ListOptions & { user?: string }) =>
      printList(
        cli,
        await listLockouts(await cli.open(), { user: user === undefined ? undefined : { name: user } }),
        options,
        { fields: lockoutFields },
      ),
    );
  parent
    .command('clear')
    .description(
      'reset the counters of a user, an address or sent codes: the next attempt counts as the first',
    )
    .option('--user <userName>', 'the failures of this user, and the codes sent to the user')
    .option('--address <address>', 'the failures from this IP address and its networks')
    .option('--codes', 'the codes sent to all users')
    .action(async (options: ClearOptions) => {
      const { counters, codeMessages } = await clearLockouts(await cli.open(), toSelection(options));
      const sentence = `cleared: ${counters} counters of failures, ${codeMessages} sent codes`;
      await printResult(cli, sentence, { counters, codeMessages }, options);
    });
}

/** @throws UsageError unless exactly one of the three is given */
function toSelection({ user, address, codes }: ClearOptions): LockoutSelection {
  if (address !== undefined && isIP(address) === 0) throw new UsageError('--address must be an IP address');
  const given: LockoutSelection[] = [
    ...(user === undefined ? [] : [{ user: { name: user } }]),
    ...(address === undefined ? [] : [{ address }]),
    ...(codes === true ? [{ codes: true as const }] : []),
  ];
  const [selection] = given;
  if (selection === undefined || given.length !== 1)
    throw new UsageError('exactly one of --user, --address and --codes is required');
  return selection;
}
