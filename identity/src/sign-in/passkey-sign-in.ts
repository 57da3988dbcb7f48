import type { PasskeyCallAnswer, PasskeyCallInput } from '@anteroom/contract/passkeys';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isSamePersonAsked } from '../openid/prompts.ts';
import { PasskeyRefused } from '../passkeys/passkeys.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { findActivePerson } from '../users/users-store.ts';
import { advance } from './advance.ts';
import { findRefusal, findWantedSiteMembership } from './authenticate.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findSignInNamed, noSuchSignIn, openVisit, prove, requireSignIn } from './visit.ts';
import type { Visit } from './visit.ts';

/** A challenge is good in the sign-in and the browser that it was made for, and in no other. */
export const boundTo = ({ uid, browserId }: Pick<SignIn, 'uid' | 'browserId'>): string[] => [uid, browserId];

/** @throws `not_found` where the service has no passkeys */
export function requirePasskeys({ passkeys }: Pick<SignInServices, 'passkeys'>): Passkeys {
  if (passkeys === undefined) throw new ContractError('not_found', { detail: 'PASSKEY_RP_ID is not set' });
  return passkeys;
}

/** What a refused passkey tells the page: that another challenge helps, or that another way to sign in does. */
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
    // an open page asks again by itself: that is no sign that its visitor is there
    const signIn = await findSignInNamed(services, body.returnUrl, exchange);
    if (signIn === undefined) throw noSuchSignIn();
    return { options: await requirePasskeys(services).beginSignIn(boundTo(signIn)) };
  };
}

/**
 * A passkey, with the user verified, stands for the password and the second factor. Whoever is unknown, disabled or of another site gets
 * the same answer as for a passkey that is unknown.
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
    // a stranger who fails on purpose counts against the passkey that is named, and not against its user
    const account = `passkey ${body.credential.id}`;
    const attempt = await noteRefusal(audit, noted, exchange, () =>
      codeLimits.attempt({ kind: 'second-factor', account, address: exchange.address }),
    );
    try {
      const verified = await passkeys.verify(boundTo(signIn), body.credential);
      const visit = await openProved(services, { signIn, body, verified }, exchange);
      await attempt.succeeded();
      metrics.countSignInStep('passkey', 'proved');
      audit.note(
        { ...noted, result: 'success', personId: verified.personId, site: visit.site?.name },
        exchange,
      );
      return await advance(services, visit);
    } catch (error) {
      if (!(error instanceof PasskeyRefused)) throw error;
      // a page that was left open is no attack
      if (error.isStale) await attempt.withdraw();
      const { message: reason, personId } = error;
      metrics.countSignInStep('passkey', error.isStale ? 'expired' : 'invalid_credentials');
      exchange.log.warn({ err: error, personId }, 'a passkey was refused');
      audit.note({ ...noted, result: 'failure', reason, personId }, exchange);
      throw toContractError(error);
    }
  };
}

type Attempt = {
  signIn: SignIn;
  body: PasskeyCallInput<'signInWithPasskey'>['body'];
  verified: Awaited<ReturnType<Passkeys['verify']>>;
};

/** The visit of the user whose passkey it is. @throws PasskeyRefused */
async function openProved(
  services: SignInServices,
  { signIn, body, verified: { personId, keyProtection } }: Attempt,
  exchange: Exchange,
): Promise<Visit> {
  const found = await exchange.findSession();
  const session = found.state === 'valid' && isSamePersonAsked(signIn) ? found.session : undefined;
  const person = await findActivePerson(services.database, personId);
  if (person === undefined) throw new PasskeyRefused('disabled person', { personId });
  if (session !== undefined && session.personId !== personId)
    throw new PasskeyRefused('another person than the one who is signed in', { personId });
  const place = await findWantedSiteMembership(services, signIn, body, session, person, exchange);
  const reason = findRefusal(person, place);
  if (reason !== undefined) throw new PasskeyRefused(reason, { personId });

  const about = { siteId: place.site?.id, keyProtection };
  const proved = await prove(services, { signIn, person, exchange }, 'passkey', about);
  return await openVisit(services, { signIn: proved.signIn, person, exchange, site: place.site });
}
