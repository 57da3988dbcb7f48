import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { Option } from 'commander';
import type { Command } from 'commander';
import { RefusedError, UsageError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';
import { mayAsk } from '../world.ts';
import type { CommonOptions, World } from '../world.ts';
import { invite } from './invite.ts';
import {
  findBrokenRuleFor,
  readNewPassword,
  requirePersonWithPassword,
  setPassword,
} from './new-password.ts';
import { people } from './people.ts';

export type PasswordOptions = CommonOptions & { passwordStdin?: boolean; mustChange?: boolean };
export type InviteOptions = CommonOptions & { invite?: boolean; language: Locale };

export function addInvite(parent: Command, world: World): void {
  const command = parent
    .command('invite')
    .description('send a link for a new password, which works for half an hour')
    .argument('<userName...>', people.fields.userName.help);
  withLanguage(command).action(async (userNames: string[], options: InviteOptions) => {
    await inviteAll(world, await world.open(), [...new Set(userNames)], options);
  });
}

export async function inviteAll(
  { terminal }: World,
  bench: Workbench,
  userNames: readonly string[],
  { language, json }: InviteOptions,
): Promise<void> {
  const sending = terminal.showProgress('Sending', userNames.length > 1 ? userNames.length : 0);
  const problems = await invite(bench, userNames, { language, sending });
  sending.stop();
  const sent = userNames.length - problems.length;
  await terminal.print(json === true ? JSON.stringify({ invited: sent }) : `${sent} invited by mail`);
  if (problems.length > 0) throw new RefusedError(problems);
}

export function withLanguage(command: Command): Command {
  const option = new Option('--language <locale>', 'of the mail').choices(supportedLocales).default('en');
  return command.addOption(option);
}

export function addSetPassword(parent: Command, world: World): void {
  const command = parent
    .command('set-password')
    .description('set a password, typed hidden or on standard input; the person is signed out everywhere')
    .argument('<userName>', people.fields.userName.help)
    .option('--password-stdin', 'the password is on standard input')
    .option('--no-must-change', 'the person may keep it (otherwise it must be changed at the next sign-in)');
  withLanguage(command).action(async (userName: string, options: PasswordOptions & { language: Locale }) => {
    const { terminal } = world;
    if (options.passwordStdin !== true && !mayAsk(world, options))
      throw new UsageError('--password-stdin is needed where nobody can type it');
    const bench = await world.open();
    const person = await requirePersonWithPassword(bench, userName);
    const password = await readNewPassword(world, options, (typed) =>
      findBrokenRuleFor(bench, person, typed),
    );
    await setPassword(bench, person, password, {
      mustChange: options.mustChange !== false,
      language: options.language,
    });
    const said = { passwordSet: person.userName };
    await terminal.print(options.json === true ? JSON.stringify(said) : `password of ${person.userName} set`);
  });
}
