import type { passkeyCalls, PasskeyCallAnswer, PasskeyCallInput } from '@anteroom/contract/passkeys';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handlers } from '../http/routes.ts';
import { notePasskeyRefusal } from '../factors/passkeys-store.ts';
import type { Passkey } from '../factors/passkeys-store.ts';
import type { PasskeyUser } from '../factors/passkeys.ts';
import type { IssuedSignedInSession } from '../sessions/session.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { User } from '../users/users-store.ts';
import { queueAccountMail } from './account-mail.ts';
import { hasProvedBoth } from './passkey-offer.ts';
import {
  challengeBinding,
  createBeginPasskeySignIn,
  createSignInWithPasskey,
  requirePasskeys,
  toContractError,
} from './passkey-sign-in.ts';
import type { SignInServices } from './sign-in-services.ts';
import { requireSignIn } from './find-sign-in.ts';
import { findVisit } from './visit.ts';
import type { Visit } from './visit.ts';

/** The calls of the extension `passkeys`. */
export function createPasskeyCalls(services: SignInServices): Handlers<typeof passkeyCalls> {
  return {
    beginPasskeySignIn: createBeginPasskeySignIn(services),
    signInWithPasskey: createSignInWithPasskey(services),

    async beginPasskeyEnrolment({ body }, exchange): Promise<PasskeyCallAnswer<'beginPasskeyEnrolment'>> {
      const { signIn, user } = await requireEnrolling(services, body, exchange);
      const binding = challengeBinding(signIn);
      const options = await requirePasskeys(services).beginEnrolment(toPasskeyUser(user), binding);
      return { options };
    },

    async enrolPasskey({ body }, exchange): Promise<PasskeyCallAnswer<'enrolPasskey'>> {
      const { signIn, user, site } = await requireEnrolling(services, body, exchange);
      const facts = { clientId: signIn.clientId, site: site?.name };
      const binding = challengeBinding(signIn);
      const { name } = await addPasskey(services, user, binding, body.credential, exchange, facts);
      return { name };
    },

    async declinePasskey({ body }, exchange): Promise<undefined> {
      const signIn = await requireSignIn(services, body.returnUrl, exchange);
      const visit = await findVisit(services, signIn, exchange);
      if (visit?.session === undefined)
        throw new ContractError('unauthorized', { detail: 'no user is signed in' });
      await notePasskeyRefusal(services.database, visit.user.id, services.clock.now());
    },
  };
}

export const toPasskeyUser = ({ id, securityVersion, userName, firstName, lastName }: User): PasskeyUser => ({
  id,
  securityVersion,
  userName,
  displayName: `${firstName} ${lastName}`.trim() || userName,
});

type Enrolment = {
  clientId?: string;
  site?: string | undefined;
  /** Renews the session of this browser, in the same transaction. */
  renew?: (transaction: DatabaseTransaction) => Promise<IssuedSignedInSession>;
};

/**
 * Stores a passkey that the browser has created, and queues the mail to the user in the same transaction. The caller
 * has checked that the user authenticated recently. Existing sessions continue, because adding a passkey invalidates no
 * other credential.
 * @throws `invalid_credentials`, `mfa_token_expired` for a challenge that is too old or used
 */
export async function addPasskey(
  services: SignInServices,
  user: User,
  binding: readonly string[],
  credential: PasskeyCallInput<'enrolPasskey'>['body']['credential'],
  exchange: Exchange,
  { renew, ...about }: Enrolment = {},
): Promise<Passkey> {
  const passkeys = requirePasskeys(services);
  const { browser } = exchange;
  const details = { factor: 'passkey', change: 'added' };
  const noted = { event: 'second-factor.change', userId: user.id, ...about, details } as const;
  const { passkey, issued } = await noteRefusal(services.audit, noted, exchange, () =>
    services.database
      .transaction()
      .execute(async (transaction) => {
        const owner = toPasskeyUser(user);
        const passkey = await passkeys.finishEnrolment(transaction, owner, binding, credential, browser);
        await queueAccountMail(services, transaction, user, 'passkeyAdded', exchange);
        return { passkey, issued: await renew?.(transaction) };
      })
      .catch((error: unknown) => {
        throw toContractError(error);
      }),
  );
  if (issued !== undefined) exchange.adopt(issued);
  services.notices.sendDue();
  services.audit.note({ ...noted, result: 'success' }, exchange);
  return passkey;
}

/** @throws `unauthorized` without a recent password and code in this sign-in */
async function requireEnrolling(
  services: SignInServices,
  { returnUrl }: { returnUrl?: string | undefined },
  exchange: Exchange,
): Promise<Visit> {
  const signIn = await requireSignIn(services, returnUrl, exchange);
  const visit = await findVisit(services, signIn, exchange);
  if (visit === undefined || !hasProvedBoth(visit, services.clock.now()))
    throw new ContractError('unauthorized', {
      detail: 'a recent password and code in this sign-in are required',
    });
  return visit;
}
