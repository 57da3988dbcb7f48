import type { CallAnswerOf, CallInputOf } from '@anteroom/contract';
import type { AccountCallName, accountCalls } from '@anteroom/contract/account';
import type { Handlers } from '../http/routes.ts';
import { accountProofAddress, addAccountClient } from '../provider/account-client.ts';
import { findClient } from '../provider/clients-store.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { Exchange } from '../http/exchange.ts';
import { listActivity } from './activity.ts';
import { describeAccount } from './describe-account.ts';
import { exportUserData } from './export-user-data.ts';
import { addPasskeyOf, beginPasskeyOf, removePasskeyOf, renamePasskeyOf } from './passkeys.ts';
import { createRecoveryCodes, offerApp, removeOwnApp, setUpOwnApp } from './authenticator-app.ts';
import { removeNumber, sendNumberCode, setNumber } from './phone-number.ts';
import { endOtherSessions, endOwnSession } from './own-sessions.ts';
import { requireProof } from './required-proofs.ts';
import type { Account } from './required-proofs.ts';

type Calls = typeof accountCalls;
/** The calls that need a proof. */
type GuardedName = Exclude<AccountCallName, 'getAccountProof'>;
type GuardedHandlers = {
  [Name in GuardedName]: (
    account: Account,
    input: CallInputOf<Calls[Name]>,
  ) => Promise<CallAnswerOf<Calls[Name]>>;
};

/** The handlers of the account page. Each gets its user only after `requireProof`. */
export function createAccount(services: SignInServices): Handlers<Calls> {
  const { audit, config, database, random } = services;
  addAccountClient(services);
  const guarded: GuardedHandlers = {
    async getAccount(account, { query }) {
      // Also sets the anti-forgery cookie.
      await account.exchange.ensureSession();
      const { refererClientId: id } = query;
      const client = id === undefined ? undefined : await findClient(database, id);
      return await describeAccount(services, account, client);
    },
    beginAccountPasskey: (account) => beginPasskeyOf(services, account),
    addAccountPasskey: (account, { body }) => addPasskeyOf(services, account, body.credential),
    renameAccountPasskey: (account, { body }) => renamePasskeyOf(services, account, body),
    removeAccountPasskey: (account, { body }) => removePasskeyOf(services, account, body.id),
    endAccountSession: (account, { body }) => endOwnSession(services, account, body.id),
    endOtherSessions: (account) => endOtherSessions(services, account),
    forgetComputers: (account) => forgetComputersOf(services, account),
    offerAuthenticatorApp: (account, { body }) => offerApp(services, account, body),
    setUpAuthenticatorApp: (account, { body }) => setUpOwnApp(services, account, body),
    removeAuthenticatorApp: (account) => removeOwnApp(services, account),
    makeRecoveryCodes: (account) => createRecoveryCodes(services, account),
    sendPhoneNumberCode: (account, { body }) => sendNumberCode(services, account, body),
    setPhoneNumber: (account, { body }) => setNumber(services, account, body),
    removePhoneNumber: (account, { body }) => removeNumber(services, account, body),
    getAccountActivity: (account) => listActivity(services, account),
    async getAccountData({ user, exchange }) {
      await audit.flush();
      const data = await exportUserData(database, user.id);
      audit.note({ event: 'user.export', result: 'success', userId: user.id }, exchange);
      return data;
    },
  };
  return {
    ...withProofs(services, guarded),
    getAccountProof({ query: { purpose, language, refererClientId: state } }, exchange) {
      const chosen = language ?? exchange.language;
      return Promise.resolve({
        location: accountProofAddress(config.publicUrl, random, { purpose, language: chosen, state }),
      });
    },
  };
}

/** Calls each handler with the user whose proof the call needs. */
function withProofs(
  services: SignInServices,
  guarded: GuardedHandlers,
): Omit<Handlers<Calls>, 'getAccountProof'> {
  const guard =
    <Name extends GuardedName>(name: Name) =>
    async (input: CallInputOf<Calls[Name]>, exchange: Exchange) =>
      await guarded[name](await requireProof(services, name, exchange), input);
  const names = Object.keys(guarded) as GuardedName[];
  const handlers: { [Name in GuardedName]?: unknown } = Object.fromEntries(
    names.map((name) => [name, guard(name)]),
  );
  return handlers as Omit<Handlers<Calls>, 'getAccountProof'>;
}

/** Forgets the computers on which the user need not enter a code. */
async function forgetComputersOf(
  { factors, audit }: SignInServices,
  { user, exchange }: Account,
): Promise<undefined> {
  const devicesForgotten = await factors.devices.forgetAllOf(user.id);
  const details = { devicesForgotten: String(devicesForgotten) };
  audit.note({ event: 'device.forget', result: 'success', userId: user.id, details }, exchange);
}
