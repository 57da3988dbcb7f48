import type { accountCalls } from '@anteroom/contract/account';
import type { Handlers } from '../http/routes.ts';
import { accountProofAddress, addAccountClient } from '../openid/account-client.ts';
import { findClient } from '../openid/clients-store.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { endSessions } from '../openid/end-sessions.ts';
import type { EndedSession, SessionSelector } from '../openid/end-sessions.ts';
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
  const { config, database, random } = services;
  addAccountClient(services);
  return {
    async getAccount({ query }, exchange) {
      const account = await requireAccount(services, exchange);
      // also sets the anti-forgery cookie
      await exchange.ensureSession();
      const { refererClientId: id } = query;
      return await describeAccount(
        services,
        account,
        id === undefined ? undefined : await findClient(database, id),
      );
    },
    getAccountProof({ query: { purpose, language, refererClientId: state } }, exchange) {
      const chosen = language ?? exchange.language;
      return Promise.resolve({
        location: accountProofAddress(config.publicUrl, random, { purpose, language: chosen, state }),
      });
    },
    async beginAccountPasskey(_input, exchange) {
      return await beginPasskeyOf(services, await requireAccount(services, exchange));
    },
    async addAccountPasskey({ body }, exchange) {
      return await addPasskeyOf(services, await requireAccount(services, exchange), body.credential);
    },
    async renameAccountPasskey({ body }, exchange) {
      await renamePasskeyOf(services, await requireAccount(services, exchange), body);
      return undefined;
    },
    async removeAccountPasskey({ body }, exchange) {
      await removePasskeyOf(services, await requireAccount(services, exchange), body.id);
      return undefined;
    },
    async endAccountSession({ body }, exchange) {
      await endSessionOf(services, await requireAccount(services, exchange), body.id);
      return undefined;
    },
    async endOtherSessions(_input, exchange) {
      await endOtherSessionsOf(services, await requireAccount(services, exchange));
      return undefined;
    },
    async forgetComputers(_input, exchange) {
      await forgetComputersOf(services, await requireAccount(services, exchange));
      return undefined;
    },
    async offerAuthenticatorApp({ body }, exchange) {
      return await offerApp(services, await requireAccount(services, exchange), body);
    },
    async setUpAuthenticatorApp({ body }, exchange) {
      await setUpOwnApp(services, await requireAccount(services, exchange), body);
      return undefined;
    },
    async removeAuthenticatorApp(_input, exchange) {
      await removeOwnApp(services, await requireAccount(services, exchange));
      return undefined;
    },
    async makeRecoveryCodes(_input, exchange) {
      return await createRecoveryCodes(services, await requireAccount(services, exchange));
    },
    async sendPhoneNumberCode({ body }, exchange) {
      return await sendNumberCode(services, await requireAccount(services, exchange), body);
    },
    async setPhoneNumber({ body }, exchange) {
      await setNumber(services, await requireAccount(services, exchange), body);
      return undefined;
    },
    async removePhoneNumber({ body }, exchange) {
      await removeNumber(services, await requireAccount(services, exchange), body);
      return undefined;
    },
    async getAccountActivity(_input, exchange) {
      return await listActivity(services, await requireAccount(services, exchange));
    },
    async getAccountData(_input, exchange) {
      const { person } = await requireAccount(services, exchange);
      await services.audit.flush();
      const data = await exportUserData(database, person.id);
      services.audit.note({ event: 'user.export', result: 'success', personId: person.id }, exchange);
      return data;
    },
  };
}

/** Ends a session of the user in another browser. Does nothing if there is no such session. */
async function endSessionOf(services: SignInServices, account: Account, idHash: string): Promise<void> {
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
async function endOtherSessionsOf(services: SignInServices, account: Account): Promise<void> {
  await end(services, account, { personId: account.person.id, exceptIdHash: account.session.idHash });
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

/** Forgets the computers on which the user skips the code. */
async function forgetComputersOf(
  { secondFactor, audit }: SignInServices,
  { person, exchange }: Account,
): Promise<void> {
  const devicesForgotten = await secondFactor.devices.forgetAllOf(person.id);
  const details = { devicesForgotten: String(devicesForgotten) };
  audit.note({ event: 'device.forget', result: 'success', personId: person.id, details }, exchange);
}
