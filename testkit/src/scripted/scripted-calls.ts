import { accountCalls } from '@anteroom/contract/account';
import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import { calls } from '@anteroom/contract';
import type { CallAnswerOf, CallInputOf } from '@anteroom/contract';
import { passkeyCalls } from '@anteroom/contract/passkeys';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import { recoveryCalls } from '@anteroom/contract/recovery';

/** Every call that a page of the front end can make. */
export const scriptedCalls = {
  ...calls,
  ...recoveryCalls,
  ...preferenceCalls,
  ...rememberedAccountCalls,
  ...accountCalls,
  ...authenticatorAppCalls,
  ...passkeyCalls,
};

export type ScriptedName = keyof typeof scriptedCalls;
export type ScriptedInput<Name extends ScriptedName> = CallInputOf<(typeof scriptedCalls)[Name]>;
export type ScriptedAnswer<Name extends ScriptedName> = CallAnswerOf<(typeof scriptedCalls)[Name]>;
