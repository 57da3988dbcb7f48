import { accountCalls } from '@anteroom/contract/account';
import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import { calls } from '@anteroom/contract';
import type { CallAnswerOf, CallInputOf } from '@anteroom/contract';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { recoveryCalls } from '@anteroom/contract/recovery';

/** Every call that a page of the front end can make. */
export const scriptedCalls = {
  ...calls,
  ...recoveryCalls,
  ...preferenceCalls,
  ...accountCalls,
  ...authenticatorAppCalls,
};

export type ScriptedName = keyof typeof scriptedCalls;
export type ScriptedInput<Name extends ScriptedName> = CallInputOf<(typeof scriptedCalls)[Name]>;
export type ScriptedAnswer<Name extends ScriptedName> = CallAnswerOf<(typeof scriptedCalls)[Name]>;
