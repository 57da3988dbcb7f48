import type { accountCalls } from '@anteroom/contract/account';
import { languageOf } from '../http/language.ts';
import type { Handlers } from '../http/implementation.ts';
import { accountProofAddress, addAccountClient } from '../openid/account-client.ts';
import { findClient } from '../openid/clients-store.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { describeAccount } from './describe-account.ts';
import { addPasskeyOf, beginPasskeyOf, removePasskeyOf, renamePasskeyOf } from './passkeys.ts';
import { makeRecoveryCodes, offerApp, removeOwnApp, setUpOwnApp } from './authenticator-app.ts';
import { requireAccount } from './require-account.ts';
import { endOtherSessionsOf, endSessionOf, forgetComputersOf } from './sessions.ts';

/** The account page: what the signed-in user sees of the account, and changes. */
export function createAccount(services: SignInServices): Handlers<typeof accountCalls> {
  const { config, database, random } = services;
  addAccountClient(services);
  return {
    async getAccount({ query }, exchange) {
      const account = await requireAccount(services, exchange);
      // sets the anti-forgery cookie
      await exchange.ensureSession();
      const { refererClientId: id } = query;
      return await describeAccount(
        services,
        account,
        id === undefined ? undefined : await findClient(database, id),
      );
    },
    getAccountProof({ query: { purpose, language, refererClientId: state } }, exchange) {
      const chosen = language ?? languageOf(exchange.raw.request.headers);
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
      return await makeRecoveryCodes(services, await requireAccount(services, exchange));
    },
  };
}
