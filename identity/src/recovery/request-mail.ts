import type { Locale } from '@anteroom/contract';
import type { AuditEventName } from '../audit/audit.ts';
import { noteRefusal } from '../audit/audit.ts';
import type { Exchange } from '../http/exchange.ts';
import { signInNameKey } from '../lib/names.ts';
import type { MailContent } from '../messages/mail-layout.ts';
import type { Client } from '../provider/clients-store.ts';
import { findUserByName, findUserByNameForShare } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { ContractError } from '../http/errors.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './return-address.ts';
import type { Referer } from './return-address.ts';
import { messagesForUser, requestsOfAddress } from './link-limits.ts';

/** A kind of e-mail that a visitor can request. */
export type RequestedMail = {
  event: AuditEventName;
  name: string;
  /** The application from which the visitor came, not validated. */
  referer: Referer;
  /** `details`: for the audit log. */
  write: (
    transaction: DatabaseTransaction,
    to: { user: User; language: Locale; client: Client | undefined },
  ) => Promise<{ content: MailContent; details: Record<string, string> }>;
};

/**
 * Queues a request and responds before the user is looked up, so that the response and its duration are the same for
 * known and unknown users (attacks and faults, S26).
 * @throws `rate_limit_reached` if the address sends too many requests
 */
export async function requestMail(
  services: RecoveryServices,
  requested: RequestedMail,
  exchange: Exchange,
): Promise<void> {
  const { language } = exchange;
  await noteRefusal(services.audit, { event: requested.event }, exchange, async () => {
    await requireAllowance(services, exchange.address);
    services.backgroundTasks.add(() => sendRequestedMail(services, requested, language, exchange));
  });
}

async function sendRequestedMail(
  services: RecoveryServices,
  { event, name, referer, write }: RequestedMail,
  language: Locale,
  exchange: Pick<Exchange, 'correlationId' | 'address' | 'log'>,
): Promise<void> {
  const { audit, database, mail } = services;
  const found = await findUserByName(database, name);
  const isAllowed = await takeMessageAllowance(services, found?.id ?? signInNameKey(name));
  const client = await findRefererClient(database, referer);
  // Locks the user's row, so that no link is sent to an e-mail address that is being changed.
  const draft = await database.transaction().execute(async (transaction) => {
    const user = isAllowed ? await findUserByNameForShare(transaction, name) : undefined;
    if (user?.status !== 'active' || user.email === undefined) return undefined;
    return { user, to: user.email, ...(await write(transaction, { user, language, client })) };
  });
  if (draft === undefined) {
    const details = found === undefined ? { nameHash: audit.nameHash(name) } : {};
    const reason = findRefusalReason(found, isAllowed);
    audit.note({ event, result: 'failure', reason, userId: found?.id, details }, exchange);
    return;
  }
  const { user, to, content, details } = draft;
  mail.sendLater({ to, ...content }, exchange.log);
  audit.note({ event, result: 'success', userId: user.id, details }, exchange);
}

type Needed = Pick<RecoveryServices, 'allowances'>;

/** @throws `rate_limit_reached` if the address has requested too many messages, for any users */
export async function requireAllowance({ allowances }: Needed, address: string): Promise<void> {
  const retryAfterSeconds = await allowances.take(
    'recovery messages of address',
    { address },
    requestsOfAddress,
  );
  if (retryAfterSeconds === undefined) return;
  throw new ContractError('rate_limit_reached', {
    retryAfterSeconds,
    detail: 'the address has requested too many recovery messages',
  });
}

/**
 * Counts a message and returns whether the user can get it; the response does not reveal the result. Unknown names are
 * counted too.
 * @param account the user's id, or the unknown name
 */
async function takeMessageAllowance({ allowances }: Needed, account: string): Promise<boolean> {
  return (await allowances.take('recovery messages for account', account, messagesForUser)) === undefined;
}

/** The reason why no mail is sent, for the audit log only. The response is the same in every case. */
function findRefusalReason(user: User | undefined, isAllowed: boolean): string {
  if (user === undefined) return 'unknown user';
  if (user.status !== 'active') return 'disabled user';
  return isAllowed ? 'no mail address' : 'too many messages for the user';
}
