import type { Locale } from '@anteroom/contract';
import type { AuditEventName } from '../audit/audit.ts';
import { noteRefusal } from '../audit/note-refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import type { MailContent } from '../messages/mail-layout.ts';
import type { Client } from '../openid/clients-store.ts';
import { findPersonByName, holdPersonByName } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { mayBeSentMessage, requireAllowance, whyNothingIsSent } from './message-limits.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './return-address.ts';
import type { Referer } from './return-address.ts';

/** One of the mails that anybody may ask for, for the person who has the name. */
export type RequestedMail = {
  event: AuditEventName;
  name: string;
  /** The application that the visitor says they came from. */
  referer: Referer;
  /** `details`: what the audit log notes of the mail. */
  write: (
    transaction: DatabaseTransaction,
    to: { person: Person; language: Locale; client: Client | undefined },
  ) => Promise<{ content: MailContent; details: Record<string, string> }>;
};

/**
 * Takes the request and has the mail sent later. The answer is given before anybody is looked up: it is the same for everybody,
 * and so is the work behind it (attacks and faults, S26).
 * @throws `rate_limit_reached` for an address that asks too often.
 */
export async function requestMail(
  services: RecoveryServices,
  asked: RequestedMail,
  exchange: Exchange,
): Promise<void> {
  const language = languageOf(exchange.raw.request.headers);
  await noteRefusal(services.audit, { event: asked.event }, exchange, async () => {
    await requireAllowance(services, exchange.address);
    services.backgroundTasks.add(() => sendRequestedMail(services, asked, language, exchange));
  });
}

async function sendRequestedMail(
  services: RecoveryServices,
  { event, name, referer, write }: RequestedMail,
  language: Locale,
  exchange: Pick<Exchange, 'correlationId' | 'address' | 'log'>,
): Promise<void> {
  const { audit, database, mail } = services;
  const found = await findPersonByName(database, name);
  const mayBeSent = await mayBeSentMessage(services, found?.id ?? signInNameKey(name));
  const client = await findRefererClient(database, referer);
  // looked up once more and held, so that a link never goes to an address that is being changed at this moment
  const written = await database.transaction().execute(async (transaction) => {
    const person = mayBeSent ? await holdPersonByName(transaction, name) : undefined;
    if (person?.status !== 'active' || person.email === undefined) return undefined;
    return { person, to: person.email, ...(await write(transaction, { person, language, client })) };
  });
  if (written === undefined) {
    const details = found === undefined ? { nameHash: audit.nameHash(name) } : {};
    const reason = whyNothingIsSent(found, mayBeSent);
    audit.note({ event, result: 'failure', reason, personId: found?.id, details }, exchange);
    return;
  }
  const { person, to, content, details } = written;
  mail.sendLater({ to, ...content }, exchange.log);
  audit.note({ event, result: 'success', personId: person.id, details }, exchange);
}
