import { accountCalls } from '@anteroom/contract/account';
import type { AccountCallAnswer, AccountCallInput, AccountCallName } from '@anteroom/contract/account';
import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import type {
  AuthenticatorAppCallAnswer,
  AuthenticatorAppCallInput,
  AuthenticatorAppCallName,
} from '@anteroom/contract/authenticator-app';
import { calls } from '@anteroom/contract';
import type { CallAnswer, CallInput, CallName } from '@anteroom/contract';
import { preferenceCalls } from '@anteroom/contract/preferences';
import type {
  PreferenceCallAnswer,
  PreferenceCallInput,
  PreferenceCallName,
} from '@anteroom/contract/preferences';
import { recoveryCalls } from '@anteroom/contract/recovery';
import type { RecoveryCallAnswer, RecoveryCallInput, RecoveryCallName } from '@anteroom/contract/recovery';

/** Every call that a page of the front end can make. */
export const scriptedCalls = {
  ...calls,
  ...recoveryCalls,
  ...preferenceCalls,
  ...accountCalls,
  ...authenticatorAppCalls,
};

export type ScriptedName =
  | CallName
  | RecoveryCallName
  | PreferenceCallName
  | AccountCallName
  | AuthenticatorAppCallName;

export type ScriptedInput<Name extends ScriptedName> = Name extends CallName
  ? CallInput<Name>
  : Name extends RecoveryCallName
    ? RecoveryCallInput<Name>
    : Name extends PreferenceCallName
      ? PreferenceCallInput<Name>
      : Name extends AccountCallName
        ? AccountCallInput<Name>
        : Name extends AuthenticatorAppCallName
          ? AuthenticatorAppCallInput<Name>
          : never;

export type ScriptedAnswer<Name extends ScriptedName> = Name extends CallName
  ? CallAnswer<Name>
  : Name extends RecoveryCallName
    ? RecoveryCallAnswer<Name>
    : Name extends PreferenceCallName
      ? PreferenceCallAnswer<Name>
      : Name extends AccountCallName
        ? AccountCallAnswer<Name>
        : Name extends AuthenticatorAppCallName
          ? AuthenticatorAppCallAnswer<Name>
          : never;
