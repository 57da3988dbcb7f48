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
import type { AccountCaller } from './required-proofs.ts';

type Calls = typeof accountCalls;
/** The calls that need a proof. */
type GuardedName = Exclude<AccountCallName, 'getAccountProof'>;
type GuardedHandlers = {
  [Name in GuardedName]: (
    caller: AccountCaller,
    input: CallInputOf<Calls[Name]>,
  ) => Promise<CallAnswerOf<Calls[Name]>>;
};

/** The handlers of the account page. Each gets its user only after `requireProof`. */
export function createAccountCalls(services: SignInServices): Handlers<Calls> {
  const { audit, config, database, random } = services;
  addAccountClient(services);
  const guarded: GuardedHandlers = {
    async getAccount(caller, { query }) {
      // Also sets the anti-forgery cookie.
      await caller.exchange.ensureSession();
      const { refererClientId: id } = query;
      const client = id === undefined ? undefined : await findClient(database, id);
      return await describeAccount(services, caller, client);
    },
    beginAccountPasskey: (caller) => beginPasskeyOf(services, caller),
    addAccountPasskey: (caller, { body }) => addPasskeyOf(services, caller, body.credential),
    renameAccountPasskey: (caller, { body }) => renamePasskeyOf(services, caller, body),
    removeAccountPasskey: (caller, { body }) => removePasskeyOf(services, caller, body.id),
    endAccountSession: (caller, { body }) => endOwnSession(services, caller, body.id),
    endOtherSessions: (caller) => endOtherSessions(services, caller),
    forgetComputers: (caller) => forgetComputersOf(services, caller),
    offerAuthenticatorApp: (caller, { body }) => offerApp(services, caller, body),
    setUpAuthenticatorApp: (caller, { body }) => setUpOwnApp(services, caller, body),
    removeAuthenticatorApp: (caller) => removeOwnApp(services, caller),
    makeRecoveryCodes: (caller) => createRecoveryCodes(services, caller),
    sendPhoneNumberCode: (caller, { body }) => sendNumberCode(services, caller, body),
    setPhoneNumber: (caller, { body }) => setNumber(services, caller, body),
    removePhoneNumber: (caller, { body }) => removeNumber(services, caller, body),
    getAccountActivity: (caller) => listActivity(services, caller),
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
  { user, exchange }: AccountCaller,
): Promise<undefined> {
  const devicesForgotten = await factors.devices.forgetAllOf(user.id);
  const details = { devicesForgotten: String(devicesForgotten) };
  audit.note({ event: 'device.forget', result: 'success', userId: user.id, details }, exchange);
}
