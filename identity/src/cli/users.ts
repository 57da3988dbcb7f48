import { passwordMaximumLength, supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { removeAuthenticator } from '../admin/user-authenticators.ts';
import { Option } from 'commander';
import type { Command } from 'commander';
import { invite } from '../admin/invitations.ts';
import { RefusedError } from '../admin/problems.ts';
import {
  findBrokenRuleFor,
  findBrokenRuleForNew,
  requireUserWithPassword,
  setPassword,
} from '../admin/user-passwords.ts';
import { describeUser, exportUser } from '../admin/user-details.ts';
import { createUsers, users } from '../admin/users.ts';
import type { UserEntry } from '../admin/users.ts';
import { passwordRuleText } from '../messages/text-catalogue.ts';
import type { BrokenRule } from '../passwords/policy-rules.ts';
import { printResult } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import { completeEntry } from './save-commands.ts';
import type { SaveOptions } from './save-commands.ts';
import { UsageError } from './usage-errors.ts';
import { mayAsk, readPiped } from './world.ts';
import type { CommonOptions, World } from './world.ts';

type PasswordOptions = CommonOptions & { passwordStdin?: boolean; mustChange?: boolean };
type InviteOptions = CommonOptions & { invite?: boolean; language: Locale };
type UserOptions = SaveOptions & PasswordOptions & InviteOptions;

export function addUserCommands(parent: Command, world: World): void {
  addResourceCommands(
    parent,
    world,
    { ...users, show: showUser },
    {
      withOptions(command, verb) {
        if (verb === 'update') return;
        if (verb === 'add')
          command.option(
            '--password-stdin',
            'the password is on standard input; it must be changed at the first sign-in',
          );
        command.option('--invite', 'send new users a link for a password of their own');
        withLanguage(command);
      },
      async prepareOne(_world, values, given) {
        const options = given as UserOptions;
        if (options.update === true && options.passwordStdin === true)
          throw new UsageError('a password is changed with `anteroom users set-password`');
        const entry = (await completeEntry(world, users, values, options)) as UserEntry;
        const way = await chooseWay(world, entry, options);
        if (way === 'invite') options.invite = true;
        if (way !== 'typed') return { entry, resource: createUsers({ invited: way === 'invite' }) };
        const context = await world.open();
        const password = await readNewPassword(world, options, (typed) =>
          findBrokenRuleForNew(context, entry, typed),
        );
        const { passwords } = await context.services();
        const firstPassword = async () => ({ hash: await passwords.hash(password), mustChange: true });
        return { entry, resource: createUsers({ firstPassword }) };
      },
      prepareImport: (options) => createUsers({ invited: (options as UserOptions).invite === true }),
      async afterwards(_world, { added }, given) {
        const options = given as UserOptions;
        if (options.invite === true && options.dryRun !== true) await inviteAll(world, added, options);
      },
    },
  );
  parent
    .command('export')
    .description("the user's own data as JSON, for a request of access; without hashes and secrets")
    .argument('<userName>', users.fields['userName']?.help)
    .action(async (userName: string) => {
      const exported = await exportUser(await world.open(), userName);
      await world.terminal.print(JSON.stringify(exported, null, 2));
    });
  addInvite(parent, world);
  addSetPassword(parent, world);
  addRemoveAuthenticator(parent, world);
}

const showUser: typeof users.show = async (context, keys) => describeUser(context, String(keys['userName']));

/** How a new user gets a password: a link by mail, one that is typed now, or later by "forgotten password". */
async function chooseWay(
  world: World,
  { signsInElsewhere, email }: UserEntry,
  options: UserOptions,
): Promise<'invite' | 'typed' | 'later'> {
  if (options.invite === true) return 'invite';
  if (options.passwordStdin === true) return 'typed';
  const isSettled = signsInElsewhere === true || options.update === true || options.dryRun === true;
  if (isSettled || !mayAsk(world, options)) return 'later';
  return await world.terminal.choose('How does the user get a password?', {
    ...(typeof email === 'string' && { invite: 'with a link, by mail, now' }),
    typed: 'I type one, which the user must change',
    later: 'later, with "forgotten password"',
  } as Record<'invite' | 'typed' | 'later', string>);
}

/**
 * Reads a new password that follows the rules; typed twice, and again while it does not. Never an argument, which every process of the
 * machine can read.
 * @throws RefusedError when one from standard input breaks a rule
 */
async function readNewPassword(
  world: World,
  options: PasswordOptions,
  findBroken: (password: string) => Promise<BrokenRule | undefined>,
): Promise<string> {
  const { terminal } = world;
  const findFault = async (password: string): Promise<string | undefined> => {
    const broken = await findBroken(password);
    return broken && passwordRuleText('en', broken.rule, broken.count);
  };
  if (options.passwordStdin === true || !mayAsk(world, options)) {
    const password = await readPiped(world, passwordMaximumLength * 8);
    const fault = await findFault(password);
    if (fault !== undefined) throw new RefusedError([{ column: 'password', reason: fault }]);
    return password;
  }
  for (;;) {
    // both questions without a pause: text that is typed between two questions would be visible
    const password = await terminal.askSecret('New password');
    const isSame = (await terminal.askSecret('The same again')) === password;
    const fault = isSame ? await findFault(password) : 'The two passwords differ.';
    if (fault === undefined) return password;
    terminal.note(fault);
  }
}

function addInvite(parent: Command, world: World): void {
  const command = parent
    .command('invite')
    .description('send a link for a new password, which works for half an hour')
    .argument('<userName...>', users.fields['userName']?.help);
  withLanguage(command).action(async (userNames: string[], options: InviteOptions) =>
    inviteAll(world, [...new Set(userNames)], options),
  );
}

async function inviteAll(
  world: World,
  userNames: readonly string[],
  { language, ...options }: InviteOptions,
): Promise<void> {
  const sending = world.terminal.showProgress('Sending', userNames.length > 1 ? userNames.length : 0);
  const onSent = (): void => sending.advance(1);
  const problems = await invite(await world.open(), userNames, { language, onSent });
  sending.stop();
  const sent = userNames.length - problems.length;
  await printResult(world, `${sent} invited by mail`, { invited: sent }, options);
  if (problems.length > 0) throw new RefusedError(problems, { isPartial: true });
}

function withLanguage(command: Command): Command {
  const option = new Option('--language <locale>', 'of the mail').choices(supportedLocales).default('en');
  return command.addOption(option);
}

function addRemoveAuthenticator(parent: Command, world: World): void {
  const command = parent
    .command('remove-authenticator')
    .description('remove a lost authenticator app and its recovery codes; the user is signed out everywhere')
    .argument('<userName>', users.fields['userName']?.help);
  withLanguage(command).action(
    async (userName: string, options: Pick<UserOptions, 'json'> & { language: Locale }) => {
      const removed = await removeAuthenticator(await world.open(), userName, options.language);
      const result = { authenticatorRemoved: removed };
      await printResult(world, `authenticator app of ${removed} removed`, result, options);
    },
  );
}

function addSetPassword(parent: Command, world: World): void {
  const command = parent
    .command('set-password')
    .description('set a password, typed hidden or on standard input; the user is signed out everywhere')
    .argument('<userName>', users.fields['userName']?.help)
    .option('--password-stdin', 'the password is on standard input')
    .option('--no-must-change', 'the user may keep it (otherwise it must be changed at the next sign-in)');
  withLanguage(command).action(async (userName: string, options: PasswordOptions & { language: Locale }) => {
    if (options.passwordStdin !== true && !mayAsk(world, options))
      throw new UsageError('--password-stdin is needed where nobody can type it');
    const context = await world.open();
    const user = await requireUserWithPassword(context, userName);
    const password = await readNewPassword(world, options, (typed) =>
      findBrokenRuleFor(context, user, typed),
    );
    const { mustChange = true, language } = options;
    await setPassword(context, user, password, { mustChange, language });
    await printResult(world, `password of ${user.userName} set`, { passwordSet: user.userName }, options);
  });
}
