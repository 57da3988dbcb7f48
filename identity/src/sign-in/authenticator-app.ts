import type { AuthenticatorAppCallInput, authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handlers } from '../http/routes.ts';
import { findClient } from '../provider/clients-store.ts';
import type { Client } from '../provider/clients-store.ts';
import { factors, listFactors } from '../factors/factors.ts';
import { revokeAccessUnlessChanged } from '../sign-out/end-sessions.ts';
import { findStep } from './advance.ts';
import { changeOwnAccount } from './change-own-account.ts';
import { requireChallenged, subjectOf } from './second-factor-step.ts';
import { queueAccountMail } from './account-mail.ts';
import type { SignInServices } from './sign-in-services.ts';
import { requireSignIn } from './find-sign-in.ts';
import type { Visit } from './visit.ts';

/** Data for the code page of a user who has an authenticator app, or who must set one up. */
export function createAuthenticatorApp(services: SignInServices): Handlers<typeof authenticatorAppCalls> {
  return {
    async describeAuthenticatorApp(
      { body }: AuthenticatorAppCallInput<'describeAuthenticatorApp'>,
      exchange: Exchange,
    ) {
      const signIn = await requireSignIn(services, body.returnUrl, exchange);
      const visit = await requireChallenged(services, signIn, exchange);
      const { user, site } = visit;
      const own = listFactors(user, site);
      if (own.includes(factors.totp))
        return own.includes(factors.sms) ? { mfaPhoneNumberSuffix: factors.sms.hint(user) } : {};
      if (!(await isEnrolmentDue(services, visit)))
        throw new ContractError('unauthorized', { detail: 'this sign-in does not set up an app' });
      const { secret, recoveryCodes } = services.factors.apps.offer(subjectOf(visit));
      const client = await findClient(services.database, signIn.clientId);
      return { enrolment: { secret, uri: appAddress(secret, client, user.userName), recoveryCodes } };
    },
  };
}

/**
 * The `otpauth:` address for authenticator apps; it omits algorithm, digits and period, because the service uses the
 * defaults.
 */
export function appAddress(secret: string, client: Client | undefined, userName: string): string {
  const issuer = client?.branding?.productName ?? 'Anteroom';
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/**
 * Whether the user must set up an app now: the site requires a second factor, and the user has none and has just
 * entered the password.
 */
export async function isEnrolmentDue(services: SignInServices, visit: Visit): Promise<boolean> {
  return (await findStep(services, visit))?.name === 'second-factor-enrolment';
}

/**
 * Stores the app after its first correct code, which also counts as a proof of the second factor. A new second factor
 * is an account change: all other sessions end, and the user is informed by mail. Only one of several parallel calls
 * succeeds.
 * @throws `unauthorized` if another account change came first
 */
export async function setUpApp(services: SignInServices, visit: Visit, step: number): Promise<Visit> {
  const { user, signIn, site, exchange } = visit;
  const changed = await changeOwnAccount(
    services,
    visit,
    'authenticator-code',
    async (transaction, keptSessionIdHash) => {
      const revoked = await revokeAccessUnlessChanged(services, transaction, user, keptSessionIdHash);
      if (revoked === undefined)
        throw new ContractError('unauthorized', { detail: 'another account change came first' });
      await services.factors.apps.setUp(transaction, subjectOf(visit), step);
      await queueAccountMail(services, transaction, user, 'appAdded', exchange);
      return revoked;
    },
  );
  const facts = { userId: user.id, clientId: signIn.clientId, site: site?.name };
  const details = { factor: 'totp', change: 'set up' };
  services.audit.note({ event: 'second-factor.change', result: 'success', ...facts, details }, exchange);
  return changed.visit;
}

/** If this many recovery codes or fewer are left, the mail asks the user to create new ones. */
const fewRecoveryCodes = 3;

/** Informs the user by mail that a recovery code was used and how many are left. */
export async function notifyOfRecoveryCode(
  services: SignInServices,
  { user, exchange }: Visit,
  left: number,
): Promise<void> {
  const { database, notices } = services;
  const { language, browser } = exchange;
  await database.transaction().execute(async (transaction) => {
    const change = left <= fewRecoveryCodes ? 'recoveryCodesFew' : 'recoveryCodeUsed';
    await queueAccountMail(services, transaction, user, change, { language, browser, left });
  });
  notices.sendDue();
}
