import type { CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { User } from '../users/users-store.ts';
import { describePolicy, policyOf } from '../passwords/policy.ts';
import type { Services } from '../services.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import type { CallHandler } from '../http/routes.ts';
import { advance, findStep } from './advance.ts';
import { changeOwnAccount } from './change-own-account.ts';
import { checkPassword } from './check-password.ts';
import { requireSignIn } from './find-sign-in.ts';
import { findContinuedSession, findVisit } from './visit.ts';
import { replacePassword, requireGoodPassword, requireSamePassword } from './replace-password.ts';
import type { SignInServices } from './sign-in-services.ts';
import type { Visit } from './visit.ts';

type Body = CallInput<'passwordReset'>['body'];

/** The visit of a user who has a password. */
type Change = Visit & { user: User & { passwordHash: string } };

/**
 * Handles a required or voluntary password change. The same transaction revokes all other access that the old password
 * gave: sessions, grants, sign-ins in progress, and remembered computers.
 */
export function createPasswordReset(services: SignInServices): CallHandler<'passwordReset'> {
  const { passwords, metrics } = services;

  return async ({ body }, exchange) => {
    const change = await requireChange(services, body, exchange);
    try {
      // The page itself knows whether the new passwords differ, so the other faults are reported first.
      await requireCurrentPassword(services, change, body.currentPassword);
      const { user, site } = change;
      const attempt = { user, password: body.newPassword, sites: site === undefined ? [] : [site] };
      await requireGoodPassword(services, policyOf(site), attempt, exchange.language);
      requireSamePassword(body);
      const changed = await changePassword(services, change, await passwords.hash(body.newPassword));
      metrics.countSignInStep('password-reset', 'changed');
      return await advance(services, changed);
    } catch (error) {
      if (error instanceof ContractError) noteRefusal(services, change, error);
      throw error;
    }
  };
}

/** @throws `unauthorized` unless a password change is the next step of the sign-in */
async function requireChange(
  services: SignInServices,
  { returnUrl }: Body,
  exchange: Exchange,
): Promise<Change> {
  const signIn = await requireSignIn(services, returnUrl, exchange);
  const session = await findContinuedSession(services, signIn, exchange);
  const visit = await findVisit(services, signIn, exchange, session?.userId ?? signIn.userId);
  const otherwise = visit && (await findStep(services, visit))?.otherwise;
  const isAsked =
    otherwise !== undefined && 'status' in otherwise && otherwise.status === 'password_reset_required';
  const passwordHash = visit?.user.passwordHash;
  if (visit === undefined || passwordHash === undefined || !isAsked) {
    throw new ContractError('unauthorized', { detail: 'this sign-in does not require a password change' });
  }
  return { ...visit, user: { ...visit.user, passwordHash } };
}

/** @throws `invalid_credentials` for a wrong password, which counts as a failed sign-in; `rate_limit_reached`; `overloaded` */
async function requireCurrentPassword(
  services: SignInServices,
  { user, exchange }: Change,
  password: string,
): Promise<void> {
  const claim = { account: user.id, user, password };
  const { matches, attempt } = await checkPassword(services, claim, exchange);
  if (!matches) throw new ContractError('invalid_credentials', { detail: 'wrong current password' });
  await attempt.succeeded();
}

/**
 * Sets the new password. The earlier proofs of this sign-in stay valid for the changed account, because the request
 * also proved the current password. During a required change, the user has no session yet.
 * @throws `invalid_credentials` if another change came first, because the current password is then outdated
 */
async function changePassword(services: SignInServices, change: Change, newHash: string): Promise<Visit> {
  const { user, signIn, session, site, exchange } = change;
  const { language, browser } = exchange;
  const { visit, revoked } = await changeOwnAccount(
    services,
    change,
    'password-change',
    async (transaction, keptSessionIdHash) => {
      const replacement = { user, newHash, language, browser, keptSessionIdHash };
      const replaced = await replacePassword(services, transaction, replacement);
      if (replaced === undefined)
        throw new ContractError('invalid_credentials', { detail: 'another account change came first' });
      return replaced;
    },
  );
  services.audit.note(
    {
      event: 'password.change',
      result: 'success',
      userId: user.id,
      clientId: signIn.clientId,
      site: site?.name,
      sessionHash: session?.idHash,
      details: {
        required: user.mustChangePassword ? 'yes' : 'no',
        sessionsEnded: String(revoked.sessionsEnded),
        devicesForgotten: String(revoked.devicesForgotten),
      },
    },
    exchange,
  );
  return visit;
}

function noteRefusal(
  { metrics, audit }: SignInServices,
  { user, signIn, site, exchange }: Change,
  { code, detail }: ContractError,
): void {
  metrics.countSignInStep('password-reset', code);
  const facts = { userId: user.id, clientId: signIn.clientId, site: site?.name };
  audit.note({ event: 'password.change', result: 'failure', reason: detail ?? code, ...facts }, exchange);
}

/** Returns the rules for a new password at a site. No user is looked up, so the response does not reveal who exists. */
export function createPasswordPolicy({
  database,
  blocklist,
}: Pick<Services, 'database' | 'blocklist'>): CallHandler<'passwordPolicy'> {
  return async ({ body }, exchange) => {
    void blocklist.prepare();
    return describePolicy(policyOf(await findNamedSite(database, body.site, exchange)));
  };
}
