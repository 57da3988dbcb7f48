import type { Exchange } from '../http/exchange.ts';
import type { RevokedAccess } from '../sign-out/end-sessions.ts';
import type { IssuedSignedInSession, NewSession, SignedInSession } from '../sessions/session.ts';
import { findEvidence, methodsOf } from './proofs.ts';
import type { ProofKind } from './proofs.ts';
import { recordProofs } from './sign-ins-store.ts';
import type { SignIn } from './sign-ins-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { SignInServices } from './sign-in-services.ts';
import { accountChanged, openVisit } from './visit.ts';
import type { Visit } from './visit.ts';

type Changed = { revoked: RevokedAccess; recorded: SignIn; issued: IssuedSignedInSession | undefined };

/**
 * Changes the account of the user who is signing in. In the same transaction, `change` revokes all access that depends
 * on the old account state. The proofs of this sign-in and a new proof `kind` are valid for the new state, and the
 * session of this browser continues with a new id (attacks and faults, S22).
 * @throws `unauthorized` if the sign-in or the session ended during the call
 */
export async function changeOwnAccount(
  services: SignInServices,
  visit: Visit,
  kind: ProofKind,
  change: (transaction: DatabaseTransaction, keptSessionIdHash: string | undefined) => Promise<RevokedAccess>,
): Promise<{ visit: Visit; revoked: RevokedAccess }> {
  const { database, clock, provider, notices } = services;
  const { signIn, user, session, evidence, site, exchange } = visit;
  const stored: Changed = await database.transaction().execute(async (transaction) => {
    const revoked = await change(transaction, session?.idHash);
    const account = { id: user.id, securityVersion: revoked.securityVersion };
    const at = clock.now();
    const proved = { ...evidence, [kind]: { at } };
    const recorded = await recordProofs(transaction, { signIn, account, proved, at });
    if (recorded === undefined) throw accountChanged();
    const issued =
      session &&
      (await renewSession(
        exchange,
        { ...session, methods: methodsOf(findEvidence(recorded, account), session) },
        account,
        transaction,
      ));
    return { revoked, recorded, issued };
  });
  if (stored.issued !== undefined) exchange.adopt(stored.issued);
  notices.sendDue();
  provider.notifyApplications();
  const changed = await findActiveUser(database, user.id);
  if (changed === undefined) throw accountChanged();
  return {
    visit: await openVisit(services, { signIn: stored.recorded, user: changed, exchange, site }),
    revoked: stored.revoked,
  };
}

/** Renews the session with a new id for the changed account, without extending its lifetime. */
export async function renewSession(
  exchange: Exchange,
  { authSite, externallyAuthenticated, connectionId, methods, absoluteExpiresAt }: SignedInSession,
  account: NewSession['account'],
  transaction: DatabaseTransaction,
): Promise<IssuedSignedInSession> {
  const facts = { account, authSite, externallyAuthenticated, connectionId, methods, absoluteExpiresAt };
  const issued = await exchange.issueSession(facts, { transaction });
  if (issued === undefined) throw accountChanged();
  return issued;
}
