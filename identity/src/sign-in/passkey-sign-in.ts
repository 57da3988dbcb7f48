import type { PasskeyCallAnswer, PasskeyCallInput } from '@anteroom/contract/passkeys';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { PasskeyRefused } from '../factors/passkeys.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import type { SignIn } from './sign-ins-store.ts';
import { findActiveUser } from '../users/users-store.ts';
import { advance } from './advance.ts';
import { findRefusal, findRequestedSite } from './requested-site.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findActiveSignIn, noSuchSignIn, requireSignIn } from './find-sign-in.ts';
import { findContinuedSession, openVisit, prove } from './visit.ts';
import type { Visit } from './visit.ts';

/** Binds a challenge to its sign-in and browser. */
export const challengeBinding = ({ uid, browserId }: Pick<SignIn, 'uid' | 'browserId'>): string[] => [
  uid,
  browserId,
];

/** @throws `not_found` if the service does not support passkeys */
export function requirePasskeys({ passkeys }: Pick<SignInServices, 'passkeys'>): Passkeys {
  if (passkeys === undefined) throw new ContractError('not_found', { detail: 'PASSKEY_RP_ID is not set' });
  return passkeys;
}

/**
 * Converts a refused passkey to a contract error. Its code tells the page whether to retry with a new challenge or to
 * offer another sign-in method.
 */
export function toContractError(error: unknown): unknown {
  if (!(error instanceof PasskeyRefused)) return error;
  const { message: detail, cause } = error;
  return new ContractError(error.isStale ? 'mfa_token_expired' : 'invalid_credentials', { detail, cause });
}

export function createBeginPasskeySignIn(services: SignInServices) {
  return async (
    { body }: PasskeyCallInput<'beginPasskeySignIn'>,
    exchange: Exchange,
  ): Promise<PasskeyCallAnswer<'beginPasskeySignIn'>> => {
    // The page repeats this call without user interaction, so the call must not extend the sign-in.
    const signIn = await findActiveSignIn(services, body.returnUrl, exchange, { extend: false });
    if (signIn === undefined) throw noSuchSignIn();
    return { options: await requirePasskeys(services).beginSignIn(challengeBinding(signIn)) };
  };
}

/**
 * Signs in with a passkey. With user verification, it replaces the password and the second factor. The response for a
 * disabled user or a user of another site is the same as for an unknown passkey.
 */
export function createSignInWithPasskey(services: SignInServices) {
  const { audit, codeLimits, metrics } = services;
  return async (
    { body }: PasskeyCallInput<'signInWithPasskey'>,
    exchange: Exchange,
  ): Promise<PasskeyCallAnswer<'signInWithPasskey'>> => {
    const passkeys = requirePasskeys(services);
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const noted = {
      event: 'passkey.check',
      clientId: signIn.clientId,
      details: { factor: 'passkey' },
    } as const;
    // Failures count against the passkey, not the user, so that an attacker cannot lock the user out.
    const account = `passkey ${body.credential.id}`;
    const attempt = await noteRefusal(audit, noted, exchange, () =>
      codeLimits.attempt({ kind: 'second-factor', account, address: exchange.address }),
    );
    try {
      const verified = await passkeys.verify(challengeBinding(signIn), body.credential);
      const visit = await openVerified(services, { signIn, body, verified }, exchange);
      await attempt.succeeded();
      metrics.countSignInStep('passkey', 'proved');
      audit.note({ ...noted, result: 'success', userId: verified.userId, site: visit.site?.name }, exchange);
      return await advance(services, visit);
    } catch (error) {
      if (!(error instanceof PasskeyRefused)) throw error;
      // A page that was open for a long time is not an attack.
      if (error.isStale) await attempt.withdraw();
      const { message: reason, userId } = error;
      metrics.countSignInStep('passkey', error.isStale ? 'expired' : 'invalid_credentials');
      exchange.log.warn({ err: error, userId }, 'refused a passkey');
      audit.note({ ...noted, result: 'failure', reason, userId }, exchange);
      throw toContractError(error);
    }
  };
}

type Attempt = {
  signIn: SignIn;
  body: PasskeyCallInput<'signInWithPasskey'>['body'];
  verified: Awaited<ReturnType<Passkeys['verify']>>;
};

/**
 * Opens the visit of the passkey's user.
 * @throws PasskeyRefused
 */
async function openVerified(
  services: SignInServices,
  { signIn, body, verified: { userId, keyProtection } }: Attempt,
  exchange: Exchange,
): Promise<Visit> {
  const session = await findContinuedSession(services, signIn, exchange);
  const user = await findActiveUser(services.database, userId);
  if (user === undefined) throw new PasskeyRefused('disabled user', { userId });
  if (session !== undefined && session.userId !== userId)
    throw new PasskeyRefused('the passkey belongs to another user than the session', { userId });
  const requested = await findRequestedSite(services, { signIn, body, session, user }, exchange);
  const reason = findRefusal(user, requested);
  if (reason !== undefined) throw new PasskeyRefused(reason, { userId });

  const about = {
    siteId: requested.site?.id,
    keyProtection,
    ...(body.credential.authenticatorAttachment === 'cross-platform' && { isOfAnotherDevice: true }),
  };
  const proved = await prove(services, { signIn, user, exchange }, 'passkey', about);
  return await openVisit(services, { signIn: proved.signIn, user, exchange, site: requested.site });
}
