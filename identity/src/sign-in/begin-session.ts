import { listFactors, listShown } from '../factors/factors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Attempt } from '../limits/limits.ts';
import type { Services } from '../services.ts';
import type {
  IssuedSignedInSession,
  NewSession,
  ProvedMethod,
  SignedInSession,
  WrittenWithSession,
} from '../sessions/session.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import type { Site } from '../sites/sites-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { lockUsers } from '../users/users-store.ts';
import type { Check } from './next-step.ts';
import { includesProofs, methodsOf } from './proofs.ts';
import { findConnectionId, unknownConnection } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { canRecord, recordingProofs } from './sign-ins-store.ts';
import type { NewProofs } from './sign-ins-store.ts';
import { accountChanged } from './visit.ts';
import type { Visit } from './visit.ts';

/** Writes further rows in the transaction that creates the session. */
export type WithSession = (transaction: DatabaseTransaction, session: SignedInSession) => Promise<void>;

/**
 * A proof that the visit already contains, but the database does not.
 * docs/decisions/098-a-password-is-recorded-with-its-session.md
 */
export type UnrecordedProof = {
  proofs: NewProofs;
  /** Further parts of the statement that records the proof. */
  succeeding: Attempt['succeeding'];
  /** Called once the proof is recorded. */
  noteRecorded: () => Promise<void>;
  /** Throws the response if the proof could not be recorded, because something changed during the call. */
  throwChanged: () => Promise<never>;
};

/** `proof`: whether an unrecorded proof is recorded in a statement of its own or in the statement of the new session. */
export type PlannedWrites =
  | { proof: 'alone'; session: 'none'; missing: Check }
  | { proof: 'alone'; session: 'continued'; continued: SignedInSession }
  | { proof: 'alone' | 'with-session'; session: 'new' };

/** What a call writes once the first failed check is known. */
export function planWrites(
  step: Check | undefined,
  { session, otherSession, evidence }: Pick<Visit, 'session' | 'otherSession' | 'evidence'>,
): PlannedWrites {
  if (step?.stage === 'before-session') return { proof: 'alone', session: 'none', missing: step };
  if (session !== undefined && includesProofs(session, evidence))
    return { proof: 'alone', session: 'continued', continued: session };
  // Ending another user's session deletes that user's sign-ins. This may be one of them until the proof is recorded.
  return { proof: otherSession === undefined ? 'with-session' : 'alone', session: 'new' };
}

/**
 * Begins a session with what the user has proved. `location`: the redirect target, if the sign-in was finished in the
 * same statement.
 * @throws `not_found` if the sign-in has expired
 */
export async function beginProvedSession(
  services: SignInServices,
  visit: Visit,
  {
    withSession,
    proof,
    isFinished,
  }: { withSession: WithSession | undefined; proof: UnrecordedProof | undefined; isFinished: boolean },
): Promise<{ session: SignedInSession; location?: string | undefined }> {
  const { knownBrowsers, audit, provider } = services;
  const { signIn, user, site, session: current, otherSession, evidence, exchange } = visit;
  const connectionId = findConnectionId(evidence, current);
  const isSameProof = current?.connectionId === connectionId;
  const methods = methodsOf(evidence, current);
  // The session keeps its site only if the same connection (or the password) authenticated the user.
  const authSite = (isFinished ? site?.name : undefined) ?? (isSameProof ? current?.authSite : undefined);
  const { id: userId, securityVersion } = user;
  const finishing = isFinished
    ? provider.finishSignIn.alongside(signIn, { userId, securityVersion, methods }, proof?.proofs)
    : undefined;
  const { session, isWritten } = await beginSession(
    services,
    {
      account: user,
      authSite,
      methods,
      externallyAuthenticated: connectionId !== undefined,
      connectionId: connectionId === unknownConnection ? undefined : connectionId,
    },
    exchange,
    {
      otherSession,
      withSession,
      alongside: alsoRecording(services, finishing, proof),
      refuse: proof?.throwChanged,
    },
  );
  await proof?.noteRecorded();
  knownBrowsers.note(exchange, userId);
  const facts = { userId, clientId: signIn.clientId, site: authSite };
  const details = {
    methods: methods.map(({ method }) => method).join(' '),
    secondFactor: secondFactorOf(visit, methods),
    replaced: current?.idHash,
  };
  audit.note(
    { event: 'session.begin', result: 'success', ...facts, sessionHash: session.idHash, details },
    exchange,
  );
  return { session, location: finishing && provider.finishSignIn.requireLocation(signIn, isWritten) };
}

/** Adds what records the proof to what else is written with the session; `finishing` itself records it if given. */
function alsoRecording(
  { database }: SignInServices,
  finishing: WrittenWithSession | undefined,
  proof: UnrecordedProof | undefined,
): WrittenWithSession | undefined {
  if (proof === undefined) return finishing;
  const recording: WrittenWithSession = {
    parts: (isBegun) => ({ recorded: recordingProofs(database, proof.proofs, isBegun) }),
    last: 'recorded',
  };
  return { ...(finishing ?? recording), when: canRecord(proof.proofs), changes: proof.succeeding };
}

/** For the audit log: the second factor that the user has used, or the reason why none was needed. */
function secondFactorOf(
  { user, site }: Pick<Visit, 'user' | 'site'>,
  methods: readonly ProvedMethod[],
): string {
  const [shown] = listShown(methods);
  if (shown !== undefined) return shown.name;
  if (methods.some(({ method }) => method === 'fed')) return 'left to the provider';
  return listFactors(user, site).length === 0 ? 'none' : 'remembered device';
}

/** The current session, at the site that the user enters now. */
export async function enterSite(
  { sessions }: SignInServices,
  session: SignedInSession,
  site: Site | undefined,
): Promise<SignedInSession> {
  if (site === undefined || session.authSite === site.name) return session;
  if (!(await sessions.setAuthSite(session.idHash, site.name))) throw accountChanged();
  return { ...session, authSite: site.name };
}

type Needed = Pick<Services, 'database' | 'clock' | 'audit'> & Pick<SignInServices, 'provider'>;

/**
 * Begins a session with the verified facts and replaces the browser's current session. Sets the cookies only after the
 * transaction commits. Ends the session of another user (`otherSession`) with all its grants. `isWritten`: whether
 * all writes of `alongside` were applied in the statement that stored the session.
 * @throws `unauthorized`, or what `refuse` throws, if the account has changed, if the current session has ended, or if
 * the condition of `alongside` is false
 */
export async function beginSession(
  services: Needed,
  facts: NewSession,
  exchange: Exchange,
  {
    otherSession,
    withSession,
    alongside,
    refuse = () => Promise.reject(accountChanged()),
  }: {
    otherSession: SignedInSession | undefined;
    withSession?: WithSession | undefined;
    alongside?: WrittenWithSession | undefined;
    refuse?: (() => Promise<never>) | undefined;
  },
): Promise<{ session: SignedInSession; isWritten: boolean }> {
  const { database, clock, provider, audit } = services;
  const adopt = (issued: IssuedSignedInSession) => ({
    session: exchange.adopt(issued),
    isWritten: issued.isWrittenAlongside,
  });
  if (otherSession === undefined && withSession === undefined)
    return adopt((await exchange.issueSession(facts, { alongside })) ?? (await refuse()));

  const issued = await database.transaction().execute(async (transaction) => {
    if (otherSession !== undefined)
      await endOtherUser(transaction, otherSession, facts.account.id, clock.now());
    const written = (await exchange.issueSession(facts, { transaction, alongside })) ?? (await refuse());
    await withSession?.(transaction, written.session);
    return written;
  });
  if (otherSession !== undefined) {
    provider.notifyApplications();
    const { userId, idHash: sessionHash } = otherSession;
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
