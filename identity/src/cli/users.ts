import { passwordMaximumLength, supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import * as v from 'valibot';
import type { AdminContext } from '../admin/admin-context.ts';
import { invite } from '../admin/send-links.ts';
import { RefusedError } from '../admin/problems.ts';
import { reportBounce, describeUser, exportUser } from '../admin/user-details.ts';
import { removeFactor } from '../admin/user-factors.ts';
import { invitationDays, longestInvitationDays } from '../admin/password-mails.ts';
import {
  endImport,
  findBrokenRuleFor,
  findBrokenRuleForNew,
  requireUserWithPassword,
  setPassword,
} from '../admin/user-passwords.ts';
import { createUsers, users } from '../admin/users.ts';
import type { UserEntry } from '../admin/users.ts';
import { wholeNumber } from '../config/environment.ts';
import type { BrokenRule } from '../passwords/policy-rules.ts';
import { passwordRuleText } from '../texts/catalogue.ts';
import { UsageError, mayAsk, readPiped } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';
import { printResult } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import { completeEntry } from './save-commands.ts';
import type { SaveOptions } from './save-commands.ts';

type PasswordOptions = CommonOptions & { passwordStdin?: boolean; mustChange?: boolean };
type InviteOptions = CommonOptions & { invite?: boolean; days?: number; language: Locale };
type UserOptions = SaveOptions & PasswordOptions & InviteOptions;

export function addUserCommands(parent: Command, cli: CliContext): void {
  addResourceCommands(parent, cli, users, {
    show: showUser,
    withOptions(command, verb) {
      if (verb === 'update') return;
      if (verb === 'add')
        command.option(
          '--password-stdin',
          'read the password from standard input; the user must change it at the first sign-in',
        );
      command.option('--invite', 'send new users an invitation with a link to choose a password');
      withInvitation(command);
    },
    async prepareOne(_cli, values, given) {
      const options = given as UserOptions;
      if (options.update === true && options.passwordStdin === true)
        throw new UsageError('use `anteroom users set-password` to change a password');
      const entry = (await completeEntry(cli, users, values, options)) as UserEntry;
      const method = await choosePasswordMethod(cli, entry, options);
      if (method === 'invite') options.invite = true;
      if (method !== 'typed') return { entry, resource: createUsers({ invited: method === 'invite' }) };
      const context = await cli.open();
      const password = await readNewPassword(cli, options, (typed) =>
        findBrokenRuleForNew(context, entry, typed),
      );
      const { passwords } = await context.services();
      const firstPassword = async () => ({ hash: await passwords.hash(password), mustChange: true });
      return { entry, resource: createUsers({ firstPassword }) };
    },
    prepareImport: (options) => createUsers({ invited: (options as UserOptions).invite === true }),
    async afterwards(_cli, { added }, given) {
      const options = given as UserOptions;
      if (options.invite === true && options.dryRun !== true) await inviteAll(cli, added, options);
    },
  });
  parent
    .command('export')
    .description("print the user's own data as JSON, for an access request; without hashes and secrets")
    .argument('<userName>', users.fields['userName']?.help)
    .action(async (userName: string) => {
      const exported = await exportUser(await cli.open(), { name: userName });
      await cli.terminal.print(JSON.stringify(exported, null, 2));
    });
  addInvite(parent, cli);
  addSetPassword(parent, cli);
  addRemoveFactors(parent, cli);
  parent
    .command('bounced')
    .description('record a bounce that your mail system reported')
    .argument('<email>', 'the address')
    .option('--status <code>', 'the status code in the report, such as 5.1.1', parseMailStatus, 'returned')
    .action(async (address: string, options: CommonOptions & { status: string }) => {
      await reportBounce(await cli.open(), address, options.status);
      await printResult(cli, `bounce of ${address} recorded`, { bounced: address }, options);
    });
  parent
    .command('end-import')
    .description(
      'invalidate the imported password hashes that are still stored: these users must choose a new password with a link',
    )
    .option('--argon2', "also Argon2 hashes with parameters that differ from the service's")
    .option('--dry-run', 'count them, without writing')
    .action(async (options: SaveOptions & { argon2?: boolean }) => {
      const { argon2 = false, dryRun } = options;
      const count = await endImport(await cli.open(), { argon2, dryRun });
      const sentence = `${count} imported hashes ${dryRun === true ? 'would be replaced' : 'replaced'}`;
      await printResult(cli, sentence, { replaced: count, dryRun: dryRun === true }, options);
    });
}

const showUser = async (context: AdminContext, keys: Readonly<Record<string, unknown>>) =>
  describeUser(context, String(keys['userName']));

/** Decides how a new user gets a password: by invitation, typed by the operator, or later through "forgotten password". */
async function choosePasswordMethod(
  cli: CliContext,
  { signsInElsewhere, email }: UserEntry,
  options: UserOptions,
): Promise<'invite' | 'typed' | 'later'> {
  if (options.invite === true) return 'invite';
  if (options.passwordStdin === true) return 'typed';
  const isSettled = signsInElsewhere === true || options.update === true || options.dryRun === true;
  if (isSettled || !mayAsk(cli, options)) return 'later';
  return await cli.terminal.choose('How does the user get a password?', {
    ...(typeof email === 'string' && { invite: 'send an invitation now' }),
    typed: 'type one now, which the user must change',
    later: 'later, through "forgotten password"',
  } as Record<'invite' | 'typed' | 'later', string>);
}

/**
 * Reads a new password from standard input, or prompts for it twice until it satisfies the policy. The password is
 * never an argument, because other processes can read arguments.
 * @throws RefusedError if a password from standard input violates the policy
 */
async function readNewPassword(
  cli: CliContext,
  options: PasswordOptions,
  findBroken: (password: string) => Promise<BrokenRule | undefined>,
): Promise<string> {
  const { terminal } = cli;
  const findFault = async (password: string): Promise<string | undefined> => {
    const broken = await findBroken(password);
    return broken && passwordRuleText('en', broken.rule, broken.count);
  };
  if (options.passwordStdin === true || !mayAsk(cli, options)) {
    const password = await readPiped(cli, 'password', passwordMaximumLength * 8);
    const fault = await findFault(password);
    if (fault !== undefined) throw new RefusedError([{ column: 'password', reason: fault }]);
    return password;
  }
  for (;;) {
    // no delay between the prompts: text typed between them would be visible
    const password = await terminal.askSecret('New password');
    const isSame = (await terminal.askSecret('Repeat the password')) === password;
    const fault = isSame ? await findFault(password) : 'The two passwords differ.';
    if (fault === undefined) return password;
    terminal.note(fault);
  }
}

function addInvite(parent: Command, cli: CliContext): void {
  const command = parent
    .command('invite')
    .description('send an invitation with a link to choose a password, which is valid for several days')
    .argument('<userName...>', users.fields['userName']?.help);
  withInvitation(command).action(async (userNames: string[], options: InviteOptions) =>
    inviteAll(cli, [...new Set(userNames)], options),
  );
}

async function inviteAll(
  cli: CliContext,
  userNames: readonly string[],
  { days, language, ...options }: InviteOptions,
): Promise<void> {
  const sending = cli.terminal.showProgress('Sending', userNames.length > 1 ? userNames.length : 0);
  const onSent = (): void => sending.advance(1);
  const context = await cli.open();
  const problems = await invite(context, userNames, {
    days: days ?? invitationDays,
    language,
    onSent,
  });
  sending.stop();
  const sent = userNames.length - problems.length;
  await printResult(cli, `${sent} invited by mail`, { invited: sent }, options);
  if (problems.length > 0) throw new RefusedError(problems, { isPartial: true });
}

function withInvitation(command: Command): Command {
  const option = new Option('--days <days>', `how long an invitation is valid (default: ${invitationDays})`);
  return withLanguage(command.addOption(option.argParser(parseDays)));
}

/**
 * Parses a reply code or an enhanced status code (RFC 3463).
 * @throws InvalidArgumentError
 */
function parseMailStatus(given: string): string {
  if (/^(?:[45]\d\d|[45]\.\d{1,3}\.\d{1,3})$/.test(given)) return given;
  throw new InvalidArgumentError('must be a code such as 550 or 5.1.1');
}

/** @throws InvalidArgumentError */
function parseDays(given: string): number {
  const { success, output, issues } = v.safeParse(wholeNumber(1, longestInvitationDays), given);
  if (success) return output;
  throw new InvalidArgumentError(issues[0].message);
}

function withLanguage(command: Command): Command {
  const option = new Option('--language <locale>', 'language of the mail')
    .choices(supportedLocales)
    .default('en');
  return command.addOption(option);
}

function addRemoveFactors(parent: Command, cli: CliContext): void {
  const commands = [
    ['remove-authenticator', 'authenticator app', 'the authenticator app and its recovery codes'],
    ['remove-passkeys', 'passkeys', 'all passkeys'],
  ] as const;
  for (const [verb, factor, what] of commands) {
    const command = parent
      .command(verb)
      .description(`remove ${what}; the user is signed out everywhere`)
      .argument('<userName>', users.fields['userName']?.help);
    withLanguage(command).action(
      async (userName: string, options: Pick<UserOptions, 'json'> & { language: Locale }) => {
        const user = await removeFactor(await cli.open(), verb, userName, options.language);
        await printResult(cli, `${factor} of ${user} removed`, { user, removed: factor }, options);
      },
    );
  }
}

function addSetPassword(parent: Command, cli: CliContext): void {
  const command = parent
    .command('set-password')
    .description('set a password, from a hidden prompt or standard input; the user is signed out everywhere')
    .argument('<userName>', users.fields['userName']?.help)
    .option('--password-stdin', 'read the password from standard input')
    .option('--no-must-change', 'the user need not change it at the next sign-in');
  withLanguage(command).action(async (userName: string, options: PasswordOptions & { language: Locale }) => {
    if (options.passwordStdin !== true && !mayAsk(cli, options))
      throw new UsageError('--password-stdin is required without a terminal');
    const context = await cli.open();
    const user = await requireUserWithPassword(context, userName);
    const password = await readNewPassword(cli, options, (typed) => findBrokenRuleFor(context, user, typed));
    const { mustChange = true, language } = options;
    await setPassword(context, user, password, { mustChange, language });
    await printResult(cli, `password of ${user.userName} set`, { passwordSet: user.userName }, options);
  });
}
