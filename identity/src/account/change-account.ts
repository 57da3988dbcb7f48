import { ContractError } from '../http/errors.ts';
import { languageOf } from '../http/language.ts';
import { findBrowserName } from '../lib/browser-name.ts';
import type { AccountChange } from '../messages/account-changed-mail.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';
import { keepAccountMail } from '../sign-in/account-mail.ts';
import { renewSession } from '../sign-in/continue-after-change.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { Account } from './require-account.ts';

/**
 * Changes what the user signs in with: everything else that stands on the account as it was ends, the session of this browser continues with a new
 * id, and the user is told by mail. Of parallel changes one succeeds. `proved`: what the change itself has proved.
 * @throws `unauthorized` when another change was quicker, or the session ended meanwhile
 */
export async function changeAccount(
  services: SignInServices,
  { person, session, exchange }: Account,
  mail: AccountChange,
  change: (transaction: DatabaseTransaction) => Promise<void>,
  proved: readonly AuthenticationMethod[] = [],
): Promise<void> {
  const issued = await services.database.transaction().execute(async (transaction) => {
    const { securityVersion } = await revokeAccess(services, transaction, person.id, {
      exceptIdHash: session.idHash,
    });
    if (securityVersion !== person.securityVersion + 1)
      throw new ContractError('unauthorized', { detail: 'another change of the account was quicker' });
    await change(transaction);
    await tellOfChange(services, transaction, { person, exchange }, mail);
    const account = { id: person.id, securityVersion };
    return await renewSession(exchange, session, account, transaction, {
      methods: [...new Set([...session.methods, ...proved])],
      // the change is no proof of the user
      authenticatedAt: session.authenticatedAt,
    });
  });
  exchange.adopt(issued);
  services.notices.sendDue();
  services.openid.tellApplications();
}

/** Tells the user of a change by mail, in its transaction. After the commit, call `notices.sendDue`. */
export async function tellOfChange(
  services: SignInServices,
  transaction: DatabaseTransaction,
  { person, exchange }: Pick<Account, 'person' | 'exchange'>,
  mail: AccountChange,
): Promise<void> {
  const { headers } = exchange.raw.request;
  const occasion = { language: languageOf(headers), browser: findBrowserName(headers['user-agent']) };
  await keepAccountMail(services, transaction, person, mail, occasion);
}
