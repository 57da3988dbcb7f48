import type { Exchange } from '../http/exchange.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import { lockUsers } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type {
  IssuedSignedInSession,
  NewSession,
  SignedInSession,
  WrittenWithSession,
} from '../sessions/session.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { SignInServices } from './sign-in-services.ts';
import { accountChanged } from './visit.ts';

/** Writes further rows in the transaction that creates the session. */
export type WithSession = (transaction: DatabaseTransaction, session: SignedInSession) => Promise<void>;

type Needed = Pick<Services, 'database' | 'clock' | 'audit'> & Pick<SignInServices, 'openid'>;

/**
 * Begins a session with the verified facts and replaces the browser's current session. Sets the cookies only after the
 * transaction commits. If another user was signed in, ends that user's session with all its grants. `isWritten`: whether
 * all writes of `alongside` were applied in the statement that stored the session.
 * @throws `unauthorized`, or what `refuse` throws, if the account has changed, if the current session has ended, or if
 * the condition of `alongside` is false
 */
export async function beginSession(
  services: Needed,
  facts: NewSession,
  exchange: Exchange,
  {
    withSession,
    alongside,
    refuse = () => Promise.reject(accountChanged()),
  }: {
    withSession?: WithSession | undefined;
    alongside?: WrittenWithSession | undefined;
    refuse?: (() => Promise<never>) | undefined;
  },
): Promise<{ session: SignedInSession; isWritten: boolean }> {
  const { database, clock, openid, audit } = services;
  const found = await exchange.findSession();
  const another =
    found.state === 'valid' && found.session.userId !== facts.account.id ? found.session : undefined;
  const adopt = (issued: IssuedSignedInSession) => ({
    session: exchange.adopt(issued),
    isWritten: issued.isWrittenAlongside,
  });
  if (another === undefined && withSession === undefined)
    return adopt((await exchange.issueSession(facts, { alongside })) ?? (await refuse()));

  const issued = await database.transaction().execute(async (transaction) => {
    if (another !== undefined) await endOtherUser(transaction, another, facts.account.id, clock.now());
    const written = (await exchange.issueSession(facts, { transaction, alongside })) ?? (await refuse());
    await withSession?.(transaction, written.session);
    return written;
  });
  if (another !== undefined) {
    openid.notifyApplications();
    const { userId, idHash: sessionHash } = another;
    const reason = 'another user signed in with this browser';
    audit.note({ event: 'session.end', result: 'success', reason, userId, sessionHash }, exchange);
  }
  return adopt(issued);
}

/** Locks the rows of both accounts first; `lockUsers` orders them, so that two such transactions cannot deadlock. */
async function endOtherUser(
  transaction: DatabaseTransaction,
  { userId, browserId }: SignedInSession,
  nextUserId: string,
  now: Date,
): Promise<void> {
  await lockUsers(transaction, [userId, nextUserId]);
  await endSessions(transaction, { userId, browserId }, now);
}

export function requireIssued(issued: IssuedSignedInSession | undefined): IssuedSignedInSession {
  if (issued === undefined) throw accountChanged();
  return issued;
}
