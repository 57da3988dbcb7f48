import type { accountCalls } from '@anteroom/contract/account';
import type { Handlers } from '../http/routes.ts';
import { accountProofAddress, addAccountClient } from '../openid/account-client.ts';
import { findClient } from '../openid/clients-store.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { endSessions } from '../openid/end-sessions.ts';
import type { EndedSession, SessionSelector } from '../openid/end-sessions.ts';
import type { Exchange } from '../http/exchange.ts';
import { listActivity } from './activity.ts';
import { describeAccount } from './describe-account.ts';
import { exportUserData } from './export-user-data.ts';
import { addPasskeyOf, beginPasskeyOf, removePasskeyOf, renamePasskeyOf } from './passkeys.ts';
import { createRecoveryCodes, offerApp, removeOwnApp, setUpOwnApp } from './authenticator-app.ts';
import { removeNumber, sendNumberCode, setNumber } from './phone-number.ts';
import { requireAccount } from './require-account.ts';
import type { Account } from './require-account.ts';

/** The handlers of the account page. */
export function createAccount(services: SignInServices): Handlers<typeof accountCalls> {
  const { audit, config, database, random } = services;
  addAccountClient(services);
  const withAccount =
    <Input, Answer>(handle: (account: Account, input: Input) => Promise<Answer>) =>
    async (input: Input, exchange: Exchange): Promise<Answer> =>
      await handle(await requireAccount(services, exchange), input);

  return {
    getAccount: withAccount(async (account, { query }) => {
      // Also sets the anti-forgery cookie.
      await account.exchange.ensureSession();
      const { refererClientId: id } = query;
      return await describeAccount(
        services,
        account,
        id === undefined ? undefined : await findClient(database, id),
      );
    }),
    getAccountProof({ query: { purpose, language, refererClientId: state } }, exchange) {
      const chosen = language ?? exchange.language;
      return Promise.resolve({
        location: accountProofAddress(config.publicUrl, random, { purpose, language: chosen, state }),
      });
    },
    beginAccountPasskey: withAccount((account) => beginPasskeyOf(services, account)),
    addAccountPasskey: withAccount((account, { body }) => addPasskeyOf(services, account, body.credential)),
    renameAccountPasskey: withAccount((account, { body }) => renamePasskeyOf(services, account, body)),
    removeAccountPasskey: withAccount((account, { body }) => removePasskeyOf(services, account, body.id)),
    endAccountSession: withAccount((account, { body }) => endSessionOf(services, account, body.id)),
    endOtherSessions: withAccount((account) => endOtherSessionsOf(services, account)),
    forgetComputers: withAccount((account) => forgetComputersOf(services, account)),
    offerAuthenticatorApp: withAccount((account, { body }) => offerApp(services, account, body)),
    setUpAuthenticatorApp: withAccount((account, { body }) => setUpOwnApp(services, account, body)),
    removeAuthenticatorApp: withAccount((account) => removeOwnApp(services, account)),
    makeRecoveryCodes: withAccount((account) => createRecoveryCodes(services, account)),
    sendPhoneNumberCode: withAccount((account, { body }) => sendNumberCode(services, account, body)),
    setPhoneNumber: withAccount((account, { body }) => setNumber(services, account, body)),
    removePhoneNumber: withAccount((account, { body }) => removeNumber(services, account, body)),
    getAccountActivity: withAccount((account) => listActivity(services, account)),
    getAccountData: withAccount(async ({ person, exchange }) => {
      await audit.flush();
      const data = await exportUserData(database, person.id);
      audit.note({ event: 'user.export', result: 'success', personId: person.id }, exchange);
      return data;
    }),
  };
}

/** Ends a session of the user in another browser. Does nothing if there is no such session. */
async function endSessionOf(services: SignInServices, account: Account, idHash: string): Promise<undefined> {
  const { person, session } = account;
  const own = await services.database
    .selectFrom('sessions')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('person_id', '=', person.id)
    .where('browser_id', '!=', session.browserId)
    .executeTakeFirst();
  if (own !== undefined) await end(services, account, { idHashes: [own.id_hash] });
}

/** Ends every other session of the user, and revokes the tokens of applications, including refresh tokens. */
async function endOtherSessionsOf(services: SignInServices, account: Account): Promise<undefined> {
  await end(services, account, { personId: account.person.id, keptSessionIdHash: account.session.idHash });
}

async function end(
  { database, clock, openid, audit }: SignInServices,
  { exchange }: Account,
  selector: SessionSelector,
): Promise<void> {
  const ended: EndedSession[] = await database
    .transaction()
    .execute((transaction) => endSessions(transaction, selector, clock.now()));
  openid.notifyApplications();
  const reason = 'the user ended it on the account page';
  for (const { idHash: sessionHash, personId, site } of ended)
    audit.note({ event: 'session.end', result: 'success', reason, personId, sessionHash, site }, exchange);
}

/** Forgets the computers on which the user need not enter a code. */
async function forgetComputersOf(
  { secondFactor, audit }: SignInServices,
  { person, exchange }: Account,
): Promise<undefined> {
  const devicesForgotten = await secondFactor.devices.forgetAllOf(person.id);
  const details = { devicesForgotten: String(devicesForgotten) };
  audit.note({ event: 'device.forget', result: 'success', personId: person.id, details }, exchange);
}
