import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import { numberGoneSmsText } from '../messages/code-sms.ts';
import { findClient } from '../openid/clients-store.ts';
import { codeValidityMinutes } from '../second-factor/limits.ts';
import { phoneNumberSuffix, toDialable } from '../second-factor/phone-number.ts';
import type { ChallengeSubject } from '../second-factor/second-factor.ts';
import { countCheck, requireRight } from '../sign-in/second-step.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { setOwnPhoneNumber } from '../users/users-store.ts';
import { changeAccount } from './require-account.ts';
import { requireMayAddCodeFactor, requireOwnFactor, requireRemainingFactor } from './factor-rules.ts';
import type { Account } from './require-account.ts';

/**
 * Sends a code to the new number, which is not stored yet. The answer does not reveal whether another user has the number.
 * @throws `mfa_invalid_phone_number`, `rate_limit_reached`, `mfa_resend_failed`, `mfa_max_attempts_exceeded` as during a sign-in
 */
export async function sendNumberCode(
  services: SignInServices,
  account: Account,
  { phoneNumber: given, refererClientId }: AccountCallInput<'sendPhoneNumberCode'>['body'],
): Promise<AccountCallAnswer<'sendPhoneNumberCode'>> {
  const { person, exchange } = account;
  const noted = {
    event: 'second-factor.send',
    personId: person.id,
    details: { factor: 'sms', asked: 'new number' },
  } as const;
  const answer = await noteRefusal(services.audit, noted, exchange, async () => {
    await requireMayAddCodeFactor(services.database, account);
    const phoneNumber = requireDialable(given);
    const nextCodeInSeconds = await services.secondFactor.resend({
      ...subjectOf(account),
      phoneNumber,
      isNewNumber: true,
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
  account: Account,
  { phoneNumber: given, code, refererClientId }: AccountCallInput<'setPhoneNumber'>['body'],
): Promise<undefined> {
  const { person, exchange } = account;
  const change = person.phoneNumber === undefined ? 'set up' : 'replaced';
  const noted = {
    event: 'second-factor.change',
    personId: person.id,
    details: { factor: 'sms', change },
  } as const;
  await noteRefusal(services.audit, noted, exchange, async () => {
    await requireMayAddCodeFactor(services.database, account);
    const phoneNumber = requireDialable(given);
    const subject = { kind: 'second-factor', account: person.id, address: exchange.address } as const;
    const attempt = await services.codeLimits.attempt(subject);
    const check = await services.secondFactor.checkNewNumber({ ...subjectOf(account), phoneNumber }, code);
    await countCheck(attempt, check);
    requireRight(check);
    await changeAccount(
      services,
      account,
      change === 'replaced' ? 'phoneNumberChanged' : 'phoneNumberAdded',
      (transaction) => setOwnPhoneNumber(transaction, person.id, { phoneNumber, at: services.clock.now() }),
      ['sms'],
    );
  });
  await notifyOldNumber(services, account, refererClientId);
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/**
 * Removes the number. Does nothing if the user has none.
 * @throws `site_requires_mfa` if a site of the user requires it
 */
export async function removeNumber(
  services: SignInServices,
  account: Account,
  { refererClientId }: AccountCallInput<'removePhoneNumber'>['body'],
): Promise<undefined> {
  const { person, exchange } = account;
  if (person.phoneNumber === undefined) return;
  const noted = {
    event: 'second-factor.change',
    personId: person.id,
    details: { factor: 'sms', change: 'removed' },
  } as const;
  await noteRefusal(services.audit, noted, exchange, async () => {
    requireOwnFactor(account);
    await changeAccount(services, account, 'phoneNumberRemoved', async (transaction) => {
      await requireRemainingFactor(transaction, person, 'sms');
      await setOwnPhoneNumber(transaction, person.id, { phoneNumber: undefined, at: services.clock.now() });
    });
  });
  await notifyOldNumber(services, account, refererClientId);
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/** Notifies the previous number by SMS after the commit, without a retry, because the user also gets a mail. */
async function notifyOldNumber(
  services: SignInServices,
  { person, exchange }: Account,
  clientId: string | undefined,
): Promise<void> {
  if (person.phoneNumber === undefined) return;
  const text = numberGoneSmsText(exchange.language, await findProductName(services, clientId));
  services.sms.sendLater({ to: person.phoneNumber, text }, exchange.log);
}

async function findProductName(
  { database }: SignInServices,
  clientId: string | undefined,
): Promise<string | undefined> {
  const client = clientId === undefined ? undefined : await findClient(database, clientId);
  return client?.branding?.productName;
}

function requireDialable(given: string): string {
  const phoneNumber = toDialable(given);
  if (phoneNumber === undefined)
    throw new ContractError('mfa_invalid_phone_number', {
      detail: 'the number must have a country code (E.164)',
    });
  return phoneNumber;
}

/**
 * Binds codes to the id of the session, which changes with each authentication and account change. Until then, the user
 * has five attempts in total for all numbers.
 */
function subjectOf({ person, session }: Account): ChallengeSubject {
  return { uid: session.idHash, personId: person.id, securityVersion: person.securityVersion };
}
