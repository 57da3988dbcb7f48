import type { Locale } from '@anteroom/contract';
import type { AuditEventName } from '../audit/audit.ts';
import { noteRefusal } from '../audit/note-refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import { findPersonByName } from '../people/people-store.ts';
import type { Person } from '../people/people-store.ts';
import type { Letter } from './letters/letters.ts';
import { mayBeSentMessage, requireAllowance, whyNothingIsSent } from './message-limits.ts';
import type { RecoveryServices } from './recovery-services.ts';

/** One of the letters that anybody may ask for, for the person who has the name. */
export type AskedLetter = {
  event: AuditEventName;
  name: string;
  /** `details`: what the audit log notes of the letter. */
  write: (person: Person, language: Locale) => Promise<{ letter: Letter; details: Record<string, string> }>;
};

/**
 * Takes the request and has the letter sent later. The answer is given before anybody is looked up: it is the same for everybody,
 * and so is the work behind it (attacks and faults, S26).
 * @throws `rate_limit_reached` for an address that asks too often.
 */
export async function askForLetter(
  services: RecoveryServices,
  asked: AskedLetter,
  exchange: Exchange,
): Promise<void> {
  const language = languageOf(exchange.raw.request.headers);
  await noteRefusal(services.audit, { event: asked.event }, exchange, async () => {
    await requireAllowance(services, exchange.address);
    services.errands.add(() => sendLetter(services, asked, language, exchange));
  });
}

async function sendLetter(
  services: RecoveryServices,
  { event, name, write }: AskedLetter,
  language: Locale,
  exchange: Pick<Exchange, 'correlationId' | 'address' | 'log'>,
): Promise<void> {
  const { audit, database, mail } = services;
  const person = await findPersonByName(database, name);
  const mayBeSent = await mayBeSentMessage(services, person?.id ?? signInNameKey(name));
  if (person?.status !== 'active' || person.email === undefined || !mayBeSent) {
    const details = person === undefined ? { nameHash: audit.nameHash(name) } : {};
    const reason = whyNothingIsSent(person, mayBeSent);
    audit.note({ event, result: 'failure', reason, personId: person?.id, details }, exchange);
    return;
  }
  const { letter, details } = await write(person, language);
  mail.sendLater({ to: person.email, ...letter }, exchange.log);
  audit.note({ event, result: 'success', personId: person.id, details }, exchange);
}
