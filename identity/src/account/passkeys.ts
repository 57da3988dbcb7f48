import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { ContractError } from '../http/errors.ts';
import { languageOf } from '../http/language.ts';
import { findBrowserName } from '../lib/browser-name.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import { listPasskeys, removePasskeys, renamePasskey } from '../passkeys/passkeys-store.ts';
import { findAcr, reachesAcr, secondFactorAcr } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { keepAccountMail } from '../sign-in/account-mail.ts';
import { renewSession } from '../sign-in/continue-after-change.ts';
import { addPasskey, toPasskeyUser } from '../sign-in/passkey-enrolment.ts';
import { requirePasskeys } from '../sign-in/passkey-sign-in.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { lockPeople } from '../users/users-store.ts';
import type { Account } from './require-account.ts';
import { requireRemainingFactor } from './require-remaining-factor.ts';

/** A passkey stands for the password and the code: who adds one has shown as much, here and not at a company (decision 045). */
export function mayAddPasskey({ methods, externallyAuthenticated }: SignedInSession): boolean {
  return !externallyAuthenticated && reachesAcr(findAcr(methods), secondFactorAcr);
}

const boundTo = ({ browserId }: SignedInSession): string[] => ['account', browserId];

function requireProvedFactor({ session }: Account): void {
  if (!mayAddPasskey(session))
    throw new ContractError('unauthorized', { detail: 'no second factor was proved for a new passkey' });
}

export async function beginPasskeyOf(
  services: SignInServices,
  account: Account,
): Promise<AccountCallAnswer<'beginAccountPasskey'>> {
  const passkeys = requirePasskeys(services);
  requireProvedFactor(account);
  return { options: await passkeys.beginEnrolment(toPasskeyUser(account.person), boundTo(account.session)) };
}

export async function addPasskeyOf(
  services: SignInServices,
  account: Account,
  credential: AccountCallInput<'addAccountPasskey'>['body']['credential'],
): Promise<AccountCallAnswer<'addAccountPasskey'>> {
  requireProvedFactor(account);
  const { person, session, exchange } = account;
  const { name } = await addPasskey(services, person, boundTo(session), credential, exchange);
  return { name };
}

/** A passkey that is not there any more, or is another user's, stays as it is. */
export async function renamePasskeyOf(
  { database, audit }: SignInServices,
  { person, exchange }: Account,
  passkey: { id: string; name: string },
): Promise<void> {
  if (!(await renamePasskey(database, person.id, passkey))) return;
  const details = { factor: 'passkey', change: 'renamed' };
  audit.note({ event: 'second-factor.change', result: 'success', personId: person.id, details }, exchange);
}

/**
 * Removes a passkey of the user and what it may have opened: the present session alone goes on, with a new id. One that is not there any more, or is
 * another user's, changes nothing.
 * @throws `site_requires_mfa` for the last factor of a user whose site asks for one
 */
export async function removePasskeyOf(
  services: SignInServices,
  { person, session, exchange }: Account,
  id: string,
): Promise<void> {
  const { database, notices, openid, audit } = services;
  const { headers } = exchange.raw.request;
  const occasion = { language: languageOf(headers), browser: findBrowserName(headers['user-agent']) };
  const issued = await database.transaction().execute(async (transaction) => {
    await lockPeople(transaction, [person.id]);
    const present = await listPasskeys(transaction, person.id);
    if (!present.some((passkey) => passkey.id === id)) return undefined;
    await requireRemainingFactor(transaction, person, 'passkey');
    await removePasskeys(transaction, person.id, { id });
    const { securityVersion } = await revokeAccess(services, transaction, person.id, {
      exceptIdHash: session.idHash,
    });
    await keepAccountMail(services, transaction, person, 'passkeyRemoved', occasion);
    return await renewSession(exchange, session, { id: person.id, securityVersion }, transaction);
  });
  if (issued === undefined) return;
  exchange.adopt(issued);
  notices.sendDue();
  openid.tellApplications();
  const details = { factor: 'passkey', change: 'removed' };
  audit.note({ event: 'second-factor.change', result: 'success', personId: person.id, details }, exchange);
}
