import type { Locale } from '@anteroom/contract';
import { holdPersonByName } from '../../users/users-store.ts';
import { createLinks } from '../../recovery/links-store.ts';
import { createPasswordMail } from '../../recovery/password-link.ts';
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
  const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
  const written = await services.database.transaction().execute(async (transaction) => {
    const person = await holdPersonByName(transaction, userName);
    if (person === undefined) return 'there is no such person';
    if (person.status !== 'active') return 'they are disabled';
    if (person.email === undefined) return 'they have no e-mail';
    const needed = { ...services, links };
    const occasion = { person, language, isInvitation: true };
    const { content, hasLink } = await createPasswordMail(needed, transaction, occasion);
    return hasLink ? { to: person.email, ...content } : 'they sign in elsewhere';
  });
  if (typeof written === 'string') return written;
  try {
    await services.mail.send(written);
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
