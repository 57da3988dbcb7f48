import { passwordMaximumLength } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { passwordRuleText } from '../../messages/text-catalogue.ts';
import { findBrokenRuleOfNew } from '../../passwords/change.ts';
import { findBrokenRule } from '../../passwords/policy-rules.ts';
import type { BrokenRule } from '../../passwords/policy-rules.ts';
import { policyOf } from '../../passwords/policy.ts';
import { findPersonByName } from '../../users/users-store.ts';
import type { Person } from '../../users/users-store.ts';
import { listSitesOf } from '../../recovery/own-sites.ts';
import { strictestPolicyOf } from '../../recovery/strictest-policy.ts';
import { replacePassword } from '../../sign-in/replace-password.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError } from '../problems.ts';
import { readPiped } from '../secret-input.ts';
import type { Workbench } from '../workbench.ts';
import { mayAsk } from '../world.ts';
import type { CommonOptions, World } from '../world.ts';
import type { PersonEntry } from './person-entry.ts';

// A password never stands in an argument, where every process of the machine could read it: it is typed hidden, or comes in
// on standard input.

/**
 * A new password that holds to the rules; typed twice, and again while it does not.
 * @throws RefusedError when one from standard input breaks a rule
 */
export async function readNewPassword(
  world: World,
  options: CommonOptions & { passwordStdin?: boolean },
  findBroken: (password: string) => Promise<BrokenRule | undefined>,
): Promise<string> {
  const { terminal } = world;
  const findFault = async (password: string): Promise<string | undefined> => {
    const broken = await findBroken(password);
    return broken && passwordRuleText('en', broken.rule, broken.count);
  };
  if (options.passwordStdin === true || !mayAsk(world, options)) {
    const password = await readPiped(terminal.input, passwordMaximumLength * 8);
    const fault = await findFault(password);
    if (fault !== undefined) throw new RefusedError([{ column: 'password', reason: fault }]);
    return password;
  }
  for (;;) {
    // twice without a pause, in which what is typed ahead would show
    const password = await terminal.askSecret('New password');
    const isSame = (await terminal.askSecret('The same again')) === password;
    const fault = isSame ? await findFault(password) : 'These are two passwords.';
    if (fault === undefined) return password;
    terminal.note(fault);
  }
}

/** The rules for somebody new, who belongs to no site yet. */
export async function findBrokenRuleForNew(
  bench: Workbench,
  { userName, email }: PersonEntry,
  password: string,
): Promise<BrokenRule | undefined> {
  const { blocklist } = await bench.services();
  const person = typeof email === 'string' ? [userName, email] : [userName];
  return await findBrokenRule(policyOf(undefined), password, { person, site: [] }, blocklist);
}

/** @throws RefusedError for nobody, and for those who sign in elsewhere */
export async function requirePersonWithPassword(
  { database }: Workbench,
  name: string,
): Promise<Person & { passwordHash: string }> {
  const person = await findPersonByName(database, name);
  if (person === undefined) throw new RefusedError([{ reason: `there is no person ${name}` }]);
  const { passwordHash } = person;
  if (passwordHash === undefined)
    throw new RefusedError([{ reason: `${person.userName} signs in elsewhere and has no password here` }]);
  return { ...person, passwordHash };
}

/** The rules of all sites that the person belongs to, and no password that they had before. */
export async function findBrokenRuleFor(
  bench: Workbench,
  { id, userName, email, passwordHash }: Person,
  password: string,
): Promise<BrokenRule | undefined> {
  const services = await bench.services();
  const sites = await listSitesOf(services.database, id);
  return await findBrokenRuleOfNew(services, strictestPolicyOf(sites), {
    personId: id,
    presentHash: passwordHash,
    password,
    names: {
      person: email === undefined ? [userName] : [userName, email],
      site: sites.flatMap(({ name, displayName }) => [name, displayName]),
    },
  });
}

/** As with a link: whatever the old password has opened ends, and whose mailbox it is learns of it. */
export async function setPassword(
  bench: Workbench,
  person: Person & { passwordHash: string },
  password: string,
  { mustChange, language }: { mustChange: boolean; language: Locale },
): Promise<void> {
  const services = await bench.services();
  const { database, clock, passwords, limits, notices } = services;
  const newHash = await passwords.hash(password);
  await database.transaction().execute(async (transaction) => {
    const change = { person, newHash, language, mustChange };
    if ((await replacePassword(services, transaction, change)) === undefined)
      throw new RefusedError([{ reason: 'the password was changed at this moment: run this again' }]);
    const personId = person.id;
    const details = { verb: 'set-password', noun: 'people', mustChange: mustChange ? 'yes' : 'no' };
    await noteOperatorEvents(transaction, clock.now(), [{ event: 'operator.change', personId, details }]);
  });
  await limits.forgive('password', person.id);
  notices.sendDue();
  await bench.tellApplications();
}
