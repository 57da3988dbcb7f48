import type { Locale } from '@anteroom/contract';
import { pageAddress } from '../../http/page-addresses.ts';
import { findPersonByName } from '../../people/people-store.ts';
import { linkValidityMinutes } from '../../recovery/figures.ts';
import { writePasswordLink } from '../../recovery/letters/letters.ts';
import { createLinks } from '../../recovery/links-store.ts';
import type { PlanOptions, Row } from '../noun.ts';
import type { Problem } from '../problems.ts';
import type { Progress } from '../terminal.ts';
import type { Workbench } from '../workbench.ts';
import type { People } from './people.ts';
import type { PersonEntry } from './person-entry.ts';

/** Sends each of them a link for a password of their own; answers who could not be sent one, and why. */
export async function invite(
  bench: Workbench,
  userNames: readonly string[],
  { language, sending }: { language: Locale; sending: Progress },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const userName of userNames) {
    const reason = await sendLink(bench, userName, language);
    if (reason !== undefined) problems.push({ reason: `${userName} was sent no link: ${reason}` });
    sending.advance(1);
  }
  return problems;
}

/** Why none could be sent. */
async function sendLink(bench: Workbench, userName: string, language: Locale): Promise<string | undefined> {
  const services = await bench.services();
  const person = await findPersonByName(services.database, userName);
  if (person === undefined) return 'there is no such person';
  if (person.status !== 'active') return 'they are disabled';
  if (person.email === undefined) return 'they have no e-mail';
  const token = await createLinks({ ...services, keyRing: services.keys.oneTimeSecrets }).issue(person.id);
  if (token === undefined) return 'they sign in elsewhere';
  const page = pageAddress(services.config.publicUrl, 'newPassword', { culture: language });
  const link = { link: `${page}#${token}`, minutes: linkValidityMinutes };
  try {
    await services.mail.send({ to: person.email, ...writePasswordLink(language, person, link) });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whoever is to be sent a link must have an e-mail, a password account, and be able to use it: told before anything is written. */
export function withMailNeeded(noun: People): People {
  const plan = async (
    transaction: Parameters<People['plan']>[0],
    rows: readonly Row<PersonEntry>[],
    options: PlanOptions,
  ): ReturnType<People['plan']> => {
    const planned = await noun.plan(transaction, rows, options);
    const lines = new Map(rows.map(({ line, entry }) => [entry.userName, line]));
    for (const { present, entry } of planned.people) {
      const line = lines.get(entry.userName);
      const tell = (column: string, reason: string): void => options.problems.add({ line, column, reason });
      if (present !== undefined) continue;
      if (entry.email === null) tell('email', 'is needed for an invitation');
      if (entry.signsInElsewhere) tell('signsInElsewhere', 'whoever signs in elsewhere is not invited');
      if (entry.disabled) tell('disabled', 'whoever is disabled is not invited');
    }
    return planned;
  };
  return { ...noun, plan };
}
