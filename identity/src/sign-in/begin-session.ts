import type { Exchange } from '../http/exchange.ts';
import { endSessions } from '../openid/end-sessions.ts';
import { lockPeople } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type { IssuedSignedInSession, SignInFacts, SignedInSession } from '../sessions/session.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { SignInServices } from './sign-in-services.ts';
import { accountChanged } from './visit.ts';

/** What is written together with a session, or neither of them is. */
export type WithSession = (transaction: DatabaseTransaction, session: SignedInSession) => Promise<void>;

type Needed = Pick<Services, 'database' | 'clock' | 'audit'> & Pick<SignInServices, 'openid'>;

/**
 * Begins a session with what was verified, in the place of the one that the browser has; cookies are given once all of it is committed.
 * When another person was signed in, their session ends with everything that stands on it.
 * @throws `unauthorized` when the account is in another state by now, or the session that goes on has ended
 */
export async function beginSession(
  services: Needed,
  facts: SignInFacts,
  exchange: Exchange,
  withSession?: WithSession,
): Promise<SignedInSession> {
  const { database, clock, openid, audit } = services;
  const found = await exchange.findSession();
  const another =
    found.state === 'valid' && found.session.personId !== facts.account.id ? found.session : undefined;
  if (another === undefined && withSession === undefined)
    return exchange.adopt(requireIssued(await exchange.issueSession(facts)));

  const issued = await database.transaction().execute(async (transaction) => {
    if (another !== undefined) await endAnother(transaction, another, facts.account.id, clock.now());
    const written = requireIssued(await exchange.issueSession(facts, transaction));
    await withSession?.(transaction, written.session);
    return written;
  });
  if (another !== undefined) {
    openid.tellApplications();
    const { personId, idHash: sessionHash } = another;
    const reason = 'another person signed in in this browser';
    audit.note({ event: 'session.end', result: 'success', reason, personId, sessionHash }, exchange);
  }
  return exchange.adopt(issued);
}

/** Both accounts' rows are held in one order, whichever of the two signs in. */
async function endAnother(
  transaction: DatabaseTransaction,
  { personId, browserId }: SignedInSession,
  nextPersonId: string,
  now: Date,
): Promise<void> {
  await lockPeople(transaction, [personId, nextPersonId]);
  await endSessions(transaction, { personId, browserId }, now);
}

export function requireIssued(issued: IssuedSignedInSession | undefined): IssuedSignedInSession {
  if (issued === undefined) throw accountChanged();
  return issued;
}
