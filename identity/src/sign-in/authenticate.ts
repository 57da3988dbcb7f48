import type { CallInput } from '@anteroom/contract';
import { sql } from 'kysely';
import { noteRefusal } from '../audit/audit.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CallHandler } from '../http/routes.ts';
import { signInNameKey } from '../lib/names.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { asIfRecorded } from './sign-ins-store.ts';
import type { NewProofs, SignIn } from './sign-ins-store.ts';
import { selectSiteMembership, toSiteMembership } from '../sites/site-memberships-store.ts';
import type { ReadSite } from '../sites/site-memberships-store.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import { readTogether } from '../store/read-together.ts';
import type { FirstRows } from '../store/read-together.ts';
import { findActiveUser, selectUserByName, toUser } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { advance } from './advance.ts';
import type { UnrecordedProof } from './begin-session.ts';
import { checkPassword } from './check-password.ts';
import { findEvidence, listKinds } from './proofs.ts';
import { findRefusal, findRequestedSite } from './requested-site.ts';
import type { RequestedSite } from './requested-site.ts';
import type { SignInServices } from './sign-in-services.ts';
import { requireSignInWith } from './find-sign-in.ts';
import { findContinuedSession, openVisit } from './visit.ts';

type Body = CallInput<'authenticate'>['body'];

/** Who the visitor claims to be, unproved. `limitKey`: the account in the rate limits, also for unknown users. */
type Claimed = { limitKey: string; user: User | undefined; nameHash?: string };

/**
 * Checks a password. For an unknown user, a disabled user, a user of another site and a wrong password, the response,
 * the work and the count against the limits are the same (attacks and faults, S26, S27).
 */
export function createAuthenticate(services: SignInServices): CallHandler<'authenticate'> {
  return async ({ body }, exchange) => {
    const queries = queriesOf(services, body);
    const { signIn, read } = await requireSignInWith(services, body.returnUrl, exchange, queries);
    // A page of another region has no sign-in whose look-up could read them.
    const entered = toEntered(body, read ?? (await readTogether(services.database, queries)));
    const continued = await findContinuedSession(services, signIn, exchange);
    const claimed = await findClaimed(services, body, continued, entered.user);
    const request = { signIn, body, session: continued, user: claimed.user, read: entered.site };
    const requested = await findRequestedSite(services, request, exchange);

    const attempt = { signIn, password: body.password, claimed, requested };
    const { user, proof } = await provePassword(services, attempt, exchange);
    const visit = await openVisit(services, {
      signIn: asIfRecorded(signIn, proof.proofs),
      user,
      exchange,
      site: requested.site,
    });
    return await advance(services, visit, { proof });
  };
}

/**
 * Queries for the user and the site that the visitor entered, which are read in the same statement as the sign-in. Most
 * calls need no other query.
 */
function queriesOf({ database }: SignInServices, { userName, site }: Body) {
  return {
    typed_user: selectUserByName(database, userName ?? ''),
    named_site: selectSiteMembership(database, { name: site ?? '' }, sql`(select id from typed_user)`),
  };
}

function toEntered(
  { site: name }: Body,
  read: FirstRows<ReturnType<typeof queriesOf>>,
): { user: User | undefined; site: ReadSite } {
  const user = read.typed_user && toUser(read.typed_user);
  const site = read.named_site && toSiteMembership(read.named_site);
  return { user, site: { name: siteNameKey(name ?? ''), userId: user?.id, site } };
}

/** The session's user, whom the visitor cannot change by a name; otherwise the user with the entered name. */
async function findClaimed(
  { database, audit }: SignInServices,
  { userName }: Body,
  session: SignedInSession | undefined,
  user: User | undefined,
): Promise<Claimed> {
  if (session !== undefined) {
    return { limitKey: session.userId, user: await findActiveUser(database, session.userId) };
  }
  if (userName === undefined || userName.trim() === '') {
    throw new ContractError('validation_failed', { detail: 'a user name is required' });
  }
  if (user !== undefined) return { limitKey: user.id, user };
  return { limitKey: signInNameKey(userName), user, nameHash: audit.nameHash(userName) };
}

type PasswordAttempt = {
  signIn: SignIn;
  password: string;
  claimed: Claimed;
  requested: RequestedSite;
};

/**
 * Verifies the password. The proof is recorded together with what follows from it.
 * @throws `invalid_credentials`, `rate_limit_reached`, `overloaded`
 */
async function provePassword(
  services: SignInServices,
  { signIn, password, claimed: { limitKey, user, nameHash }, requested }: PasswordAttempt,
  exchange: Exchange,
): Promise<{ user: User; proof: UnrecordedProof }> {
  const { clock, metrics, audit } = services;
  const noted: Omit<AuditEvent, 'result'> = {
    event: 'password.check',
    userId: user?.id,
    site: requested.site?.name,
    clientId: signIn.clientId,
    // Only a hash of the entered user name is recorded, because the user may have typed the password into that field.
    details: { factor: 'password', nameHash },
  };
  const refusalFor = (reason: string | undefined): ContractError => {
    metrics.countSignInStep('password', 'invalid_credentials');
    audit.note({ ...noted, result: 'failure', reason }, exchange);
    return new ContractError('invalid_credentials');
  };

  const checked = await noteRefusal(audit, noted, exchange, () =>
    checkPassword(services, { account: limitKey, user, password }, exchange),
  );
  // The next step may send a code, and the gateway may be slow.
  exchange.releaseCapacity();
  const reason = checked.matches || user === undefined ? findRefusal(user, requested) : 'wrong password';
  if (!checked.matches || user === undefined || reason !== undefined) throw refusalFor(reason);

  const at = clock.now();
  const proofs: NewProofs = {
    signIn,
    account: user,
    proved: { password: { at, siteId: requested.site?.id } },
    at,
    reliedOn: listKinds(findEvidence(signIn, user)),
  };
  return {
    user,
    proof: {
      proofs,
      succeeding: checked.attempt.succeeding,
      async noteRecorded() {
        await checked.renewHash();
        metrics.countSignInStep('password', 'proved');
        audit.note({ ...noted, result: 'success' }, exchange);
      },
      // The password check may have waited in a queue, so the account may have changed since it was read.
      async throwChanged() {
        await checked.attempt.withdraw();
        throw refusalFor('the account, the session or the sign-in changed during the check');
      },
    },
  };
}
