import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import { numberGoneSmsText } from '../messages/code-sms.ts';
import { findClient } from '../provider/clients-store.ts';
import { codeValidityMinutes } from '../factors/code-limits.ts';
import type { FactorSubject } from '../factors/one-time-codes.ts';
import { factors } from '../factors/factors.ts';
import { parsePhoneNumber, phoneNumberSuffix } from '../factors/phone-number.ts';
import { countCheck, requireRight } from '../sign-in/second-factor-step.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { setOwnPhoneNumber } from '../users/users-store.ts';
import { changeAccount, requireRemainingFactor } from './change-account.ts';
import type { AccountCaller } from './required-proofs.ts';

/**
 * Sends a code to the new number, which is not stored yet. The answer does not reveal whether another user has the number.
 * @throws `mfa_invalid_phone_number`, `rate_limit_reached`, `mfa_resend_failed`, `mfa_max_attempts_exceeded` as during a sign-in
 */
export async function sendNumberCode(
  services: SignInServices,
  caller: AccountCaller,
  { phoneNumber: given, refererClientId }: AccountCallInput<'sendPhoneNumberCode'>['body'],
): Promise<AccountCallAnswer<'sendPhoneNumberCode'>> {
  const { user, exchange } = caller;
  const noted = {
    event: 'second-factor.send',
    userId: user.id,
    details: { factor: 'sms', asked: 'new number' },
  } as const;
  const answer = await noteRefusal(services.audit, noted, exchange, async () => {
    const phoneNumber = requireDialable(given);
    const nextCodeInSeconds = await services.factors.resend(factors.sms, {
      ...subjectOf(caller),
      owner: user,
      newNumber: phoneNumber,
      productName: await findProductName(services, refererClientId),
      siteDisplayName: undefined,
      language: exchange.language,
      log: exchange.log,
    });
    const suffix = phoneNumberSuffix(phoneNumber);
    return { suffix, codeValidityInMinutes: codeValidityMinutes, nextCodeInSeconds };
  });
  services.audit.note({ ...noted, result: 'success' }, exchange);
  return answer;
}

/**
 * Stores the number after checking its code, and replaces the present number. Wrong codes count towards the same limit
 * as wrong codes of other factors.
 * @throws `invalid_credentials`, `mfa_token_expired`, `mfa_max_attempts_exceeded` as during a sign-in
 */
export async function setNumber(
  services: SignInServices,
  caller: AccountCaller,
  { phoneNumber: given, code, refererClientId }: AccountCallInput<'setPhoneNumber'>['body'],
): Promise<undefined> {
  const { user, exchange } = caller;
  const change = user.phoneNumber === undefined ? 'set up' : 'replaced';
  const noted = {
    event: 'second-factor.change',
    userId: user.id,
    details: { factor: 'sms', change },
  } as const;
  await noteRefusal(services.audit, noted, exchange, async () => {
    const phoneNumber = requireDialable(given);
    const subject = { kind: 'second-factor', account: user.id, address: exchange.address } as const;
    const attempt = await services.codeLimits.attempt(subject);
    const { check } = await services.factors.checkNewNumber(subjectOf(caller), phoneNumber, code);
    await countCheck(attempt, check);
    requireRight(check);
    await changeAccount(
      services,
      caller,
      change === 'replaced' ? 'phoneNumberChanged' : 'phoneNumberAdded',
      (transaction) => setOwnPhoneNumber(transaction, user.id, { phoneNumber, at: services.clock.now() }),
      factors.sms.method,
    );
  });
  await notifyOldNumber(services, caller, refererClientId);
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/**
 * Removes the number. Does nothing if the user has none.
 * @throws `site_requires_mfa` if a site of the user requires it
 */
export async function removeNumber(
  services: SignInServices,
  caller: AccountCaller,
  { refererClientId }: AccountCallInput<'removePhoneNumber'>['body'],
): Promise<undefined> {
  const { user, exchange } = caller;
  if (user.phoneNumber === undefined) return;
  const noted = {
    event: 'second-factor.change',
    userId: user.id,
    details: { factor: 'sms', change: 'removed' },
  } as const;
  await noteRefusal(services.audit, noted, exchange, async () => {
    await changeAccount(services, caller, 'phoneNumberRemoved', async (transaction) => {
      await requireRemainingFactor(transaction, user.id, factors.sms.without(user));
      await setOwnPhoneNumber(transaction, user.id, { phoneNumber: undefined, at: services.clock.now() });
    });
  });
  await notifyOldNumber(services, caller, refererClientId);
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/** Notifies the previous number by SMS after the commit, without a retry, because the user also gets a mail. */
async function notifyOldNumber(
  services: SignInServices,
  { user, exchange }: AccountCaller,
  clientId: string | undefined,
): Promise<void> {
  if (user.phoneNumber === undefined) return;
  const text = numberGoneSmsText(exchange.language, await findProductName(services, clientId));
  services.sms.sendLater({ to: user.phoneNumber, text }, exchange.log);
}

async function findProductName(
  { database }: SignInServices,
  clientId: string | undefined,
): Promise<string | undefined> {
  const client = clientId === undefined ? undefined : await findClient(database, clientId);
  return client?.branding?.productName;
}

function requireDialable(given: string): string {
  const parsed = parsePhoneNumber(given);
  if ('fault' in parsed)
    throw new ContractError('mfa_invalid_phone_number', { detail: `the number ${parsed.fault}` });
  return parsed.phoneNumber;
}

/**
 * Binds codes to the id of the session, which changes with each authentication and account change. Until then, the user
 * has five attempts in total for all numbers.
 */
function subjectOf({ user, session }: AccountCaller): FactorSubject {
  return { uid: session.idHash, userId: user.id, securityVersion: user.securityVersion };
}
