import { passwordMaximumLength, supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { removeFactor } from '../admin/user-factors.ts';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import * as v from 'valibot';
import { invite } from '../admin/invitations.ts';
import { reportBounce } from '../admin/mail-bounces.ts';
import { RefusedError } from '../admin/problems.ts';
import {
  endImport,
  findBrokenRuleFor,
  findBrokenRuleForNew,
  requireUserWithPassword,
  setPassword,
} from '../admin/user-passwords.ts';
import { describeUser, exportUser } from '../admin/user-details.ts';
import { createUsers, users } from '../admin/users.ts';
import type { UserEntry } from '../admin/users.ts';
import { invitationDays } from '../environment.ts';
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
type InviteOptions = CommonOptions & { invite?: boolean; days?: number; language: Locale };
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
        command.option('--invite', 'send new users an invitation: a link for a password of their own');
        withInvitation(command);
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
  addRemoveFactors(parent, world);
  parent
    .command('bounced')
    .description('record that mail to an address came back, as your mail system reports it')
    .argument('<email>', 'the address')
    .option('--status <code>', 'the status of the report, such as 5.1.1', parseMailStatus, 'returned')
    .action(async (address: string, options: CommonOptions & { status: string }) => {
      await reportBounce(await world.open(), address, options.status);
      await printResult(world, `${address} recorded as returned`, { bounced: address }, options);
    });
  parent
    .command('end-import')
    .description(
      'replace the imported password hashes that no sign-in has replaced: these users choose a new password with a link',
    )
    .option('--argon2', "also Argon2 hashes whose parameters are not the service's")
    .option('--dry-run', 'count them, and do nothing')
    .action(async (options: SaveOptions & { argon2?: boolean }) => {
      const { argon2 = false, dryRun } = options;
      const count = await endImport(await world.open(), { argon2, dryRun });
      const sentence = `${count} imported hashes ${dryRun === true ? 'would be replaced' : 'replaced'}`;
      await printResult(world, sentence, { replaced: count, dryRun: dryRun === true }, options);
    });
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
    .description('send an invitation: a link for a password of their own, which is valid for days')
    .argument('<userName...>', users.fields['userName']?.help);
  withInvitation(command).action(async (userNames: string[], options: InviteOptions) =>
    inviteAll(world, [...new Set(userNames)], options),
  );
}

async function inviteAll(
  world: World,
  userNames: readonly string[],
  { days, language, ...options }: InviteOptions,
): Promise<void> {
  const sending = world.terminal.showProgress('Sending', userNames.length > 1 ? userNames.length : 0);
  const onSent = (): void => sending.advance(1);
  const context = await world.open();
  const problems = await invite(context, userNames, {
    days: days ?? context.config.invitationDays,
    language,
    onSent,
  });
  sending.stop();
  const sent = userNames.length - problems.length;
  await printResult(world, `${sent} invited by mail`, { invited: sent }, options);
  if (problems.length > 0) throw new RefusedError(problems, { isPartial: true });
}

function withInvitation(command: Command): Command {
  const option = new Option('--days <days>', 'how long an invitation is valid (default: INVITATION_DAYS)');
  return withLanguage(command.addOption(option.argParser(parseDays)));
}

/**
 * A reply code or an enhanced status code (RFC 3463).
 * @throws InvalidArgumentError
 */
function parseMailStatus(given: string): string {
  if (/^(?:[45]\d\d|[45]\.\d{1,3}\.\d{1,3})$/.test(given)) return given;
  throw new InvalidArgumentError('must be a code such as 550 or 5.1.1');
}

/** @throws InvalidArgumentError */
function parseDays(given: string): number {
  const { success, output, issues } = v.safeParse(invitationDays, given);
  if (success) return output;
  throw new InvalidArgumentError(issues[0].message);
}

function withLanguage(command: Command): Command {
  const option = new Option('--language <locale>', 'of the mail').choices(supportedLocales).default('en');
  return command.addOption(option);
}

function addRemoveFactors(parent: Command, world: World): void {
  const commands = [
    ['remove-authenticator', 'authenticator app', 'a lost authenticator app and its recovery codes'],
    ['remove-passkeys', 'passkeys', 'all passkeys, when a device is lost'],
  ] as const;
  for (const [verb, factor, what] of commands) {
    const command = parent
      .command(verb)
      .description(`remove ${what}; the user is signed out everywhere`)
      .argument('<userName>', users.fields['userName']?.help);
    withLanguage(command).action(
      async (userName: string, options: Pick<UserOptions, 'json'> & { language: Locale }) => {
        const user = await removeFactor(await world.open(), verb, userName, options.language);
        await printResult(world, `${factor} of ${user} removed`, { user, removed: factor }, options);
      },
    );
  }
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
