import type { AuthenticatorAppCallInput, authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handlers } from '../http/implementation.ts';
import { languageOf } from '../http/language.ts';
import { findBrowserName } from '../lib/browser-name.ts';
import { findClient } from '../openid/clients-store.ts';
import type { Client } from '../openid/clients-store.ts';
import { phoneNumberSuffix } from '../second-factor/phone-number.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import { findStep } from './advance.ts';
import { changeOwnAccount } from './continue-after-change.ts';
import { listCodeFactors } from './second-factors.ts';
import { requireChallenged, subjectOf } from './second-step.ts';
import { keepAccountMail } from './account-mail.ts';
import type { SignInServices } from './sign-in-services.ts';
import { requireSignIn } from './visit.ts';
import type { Visit } from './visit.ts';

/** What the page of the code shows to a user of an authenticator app, or to one who sets an app up. */
export function createAuthenticatorApp(services: SignInServices): Handlers<typeof authenticatorAppCalls> {
  return {
    async describeAuthenticatorApp(
      { body }: AuthenticatorAppCallInput<'describeAuthenticatorApp'>,
      exchange: Exchange,
    ) {
      const signIn = await requireSignIn(services, body.returnUrl, exchange);
      const visit = await requireChallenged(services, signIn, exchange);
      const { person, site } = visit;
      const factors = listCodeFactors(person, site);
      if (factors.includes('totp')) {
        const hasPhone = factors.includes('sms') && person.phoneNumber !== undefined;
        return hasPhone ? { mfaPhoneNumberSuffix: phoneNumberSuffix(person.phoneNumber ?? '') } : {};
      }
      if (!(await isEnrolmentDue(services, visit)))
        throw new ContractError('unauthorized', { detail: 'no app is to be set up in this sign-in' });
      const { secret, recoveryCodes } = services.secondFactor.apps.offer(subjectOf(visit));
      const client = await findClient(services.database, signIn.clientId);
      return { enrolment: { secret, uri: appAddress(secret, client, person.userName), recoveryCodes } };
    },
  };
}

/** An `otpauth:` address as authenticator apps read it; algorithm, digits and period are what they all assume. */
export function appAddress(secret: string, client: Client | undefined, userName: string): string {
  const issuer = client?.branding?.productName ?? 'Anteroom';
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** Whether this sign-in waits for its user to set an app up: the site asks for a second factor, there is none, the password was just proved. */
export async function isEnrolmentDue(services: SignInServices, visit: Visit): Promise<boolean> {
  return (await findStep(services, visit))?.name === 'second-factor-enrolment';
}

/**
 * Stores the app that has shown a right code, which is its first proof. A new second factor is a change of the account: everything else is closed, and
 * the user is told by mail. Of any number of parallel calls one succeeds.
 * @throws `unauthorized` when another change was quicker
 */
export async function setUpApp(services: SignInServices, visit: Visit, step: number): Promise<Visit> {
  const { person, signIn, site, exchange } = visit;
  const changed = await changeOwnAccount(
    services,
    visit,
    'authenticator-code',
    async (transaction, exceptIdHash) => {
      const revoked = await revokeAccess(services, transaction, person.id, { exceptIdHash });
      if (revoked.securityVersion !== person.securityVersion + 1)
        throw new ContractError('unauthorized', { detail: 'another change of the account was quicker' });
      await services.secondFactor.apps.setUp(transaction, subjectOf(visit), step);
      await keepAccountMail(services, transaction, person, 'appAdded', occasionOf(exchange));
      return revoked;
    },
  );
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  const details = { factor: 'totp', change: 'set up' };
  services.audit.note({ event: 'second-factor.change', result: 'success', ...facts, details }, exchange);
  return changed.visit;
}

/** From so many on, the mail asks the user to make new ones. */
const fewRecoveryCodes = 3;

/** A recovery code was used: the user learns of it by mail, with how many are left. */
export async function tellOfRecoveryCode(
  services: SignInServices,
  { person, exchange }: Visit,
  left: number,
): Promise<void> {
  const { database, notices } = services;
  await database.transaction().execute(async (transaction) => {
    const occasion = { ...occasionOf(exchange), left };
    const change = left <= fewRecoveryCodes ? 'recoveryCodesFew' : 'recoveryCodeUsed';
    await keepAccountMail(services, transaction, person, change, occasion);
  });
  notices.sendDue();
}

function occasionOf({ raw }: Exchange) {
  const { headers } = raw.request;
  return { language: languageOf(headers), browser: findBrowserName(headers['user-agent']) };
}
