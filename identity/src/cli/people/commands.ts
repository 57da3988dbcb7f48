import type { Command } from 'commander';
import { addOne, completeEntry, defineAdd, readGiven } from '../add-command.ts';
import type { AddOptions } from '../add-command.ts';
import { chooseFile, defineImport, importFile } from '../importing/import-command.ts';
import type { ImportOptions } from '../importing/import-command.ts';
import { addListCommand } from '../listing/list-command.ts';
import { UsageError } from '../problems.ts';
import { addSwitchCommands } from '../switch-commands.ts';
import type { Workbench } from '../workbench.ts';
import { mayAsk } from '../world.ts';
import type { World } from '../world.ts';
import { withMailNeeded } from './invite.ts';
import { findBrokenRuleForNew, readNewPassword } from './new-password.ts';
import { addInvite, addSetPassword, inviteAll, withLanguage } from './password-commands.ts';
import type { InviteOptions, PasswordOptions } from './password-commands.ts';
import { people, withFirstPassword } from './people.ts';
import type { People } from './people.ts';
import type { PersonEntry } from './person-entry.ts';

export function addPeopleCommands(parent: Command, world: World): void {
  addAdd(parent, world);
  addListCommand(parent, world, people);
  addSwitchCommands(parent, world, people, {
    disable: 'the person cannot sign in, and is signed out everywhere',
    enable: 'the person can sign in again',
  });
  addImport(parent, world);
  addInvite(parent, world);
  addSetPassword(parent, world);
}

function addAdd(parent: Command, world: World): void {
  const command = defineAdd(parent, people)
    .option('--password-stdin', 'the password is on standard input; it must be changed at the first sign-in')
    .option('--invite', 'send the person a link for a password of their own');
  withLanguage(command).action(async (...given: unknown[]) => {
    const { values, options } = readGiven(people, given);
    await addPerson(world, values, options as AddOptions & PasswordOptions & InviteOptions);
  });
}

async function addPerson(
  world: World,
  values: Readonly<Record<string, unknown>>,
  options: AddOptions & PasswordOptions & InviteOptions,
): Promise<void> {
  if (options.update === true && options.passwordStdin === true)
    throw new UsageError('a password is changed with `anteroom people set-password`');
  const entry = await completeEntry(world, people, values, options);
  const way = await chooseWay(world, entry, options);
  const bench = await world.open();
  const noun = way === 'typed' ? await withTypedPassword(world, bench, entry, options) : people;
  await addOne(world, bench, way === 'invite' ? withMailNeeded(noun) : noun, entry, options);
  if (way === 'invite' && options.dryRun !== true) await inviteAll(world, bench, [entry.userName], options);
}

/** How somebody new gets a password: a link by mail, one that is typed now, or later by "forgotten password". */
async function chooseWay(
  world: World,
  { signsInElsewhere, email }: PersonEntry,
  options: AddOptions & PasswordOptions & InviteOptions,
): Promise<'invite' | 'typed' | 'later'> {
  if (options.invite === true) return 'invite';
  if (options.passwordStdin === true) return 'typed';
  const isSettled = signsInElsewhere === true || options.update === true || options.dryRun === true;
  if (isSettled || !mayAsk(world, options)) return 'later';
  return await world.terminal.choose('How does the person get a password?', {
    ...(typeof email === 'string' && { invite: 'with a link, by mail, now' }),
    typed: 'I type one, which they must change',
    later: 'later, with "forgotten password"',
  } as Record<'invite' | 'typed' | 'later', string>);
}

async function withTypedPassword(
  world: World,
  bench: Workbench,
  entry: PersonEntry,
  options: PasswordOptions,
): Promise<People> {
  const password = await readNewPassword(world, options, (typed) =>
    findBrokenRuleForNew(bench, entry, typed),
  );
  return withFirstPassword(async () => {
    const { passwords } = await bench.services();
    return { hash: await passwords.hash(password), mustChange: true };
  });
}

function addImport(parent: Command, world: World): void {
  const command = defineImport(parent, people).option(
    '--invite',
    'send everybody who is added a link for a password',
  );
  withLanguage(command).action(async (given: string | undefined, options: ImportOptions & InviteOptions) => {
    const file = await chooseFile(world, given, options);
    const noun = options.invite === true ? withMailNeeded(people) : people;
    const { added } = await importFile(world, noun, file, options);
    if (options.invite === true && options.dryRun !== true)
      await inviteAll(world, await world.open(), added, options);
  });
}
