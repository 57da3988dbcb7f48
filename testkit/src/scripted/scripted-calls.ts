import { calls } from '@anteroom/contract';
import type { CallAnswer, CallInput, CallName } from '@anteroom/contract';
import { recoveryCalls } from '@anteroom/contract/recovery';
import type { RecoveryCallAnswer, RecoveryCallInput, RecoveryCallName } from '@anteroom/contract/recovery';

/** Every call that a page of the front end may make: those of the specification, and those of the recovery pages. */
export const scriptedCalls = { ...calls, ...recoveryCalls };

export type ScriptedName = CallName | RecoveryCallName;

export type ScriptedInput<Name extends ScriptedName> = Name extends CallName
  ? CallInput<Name>
  : Name extends RecoveryCallName
    ? RecoveryCallInput<Name>
    : never;

export type ScriptedAnswer<Name extends ScriptedName> = Name extends CallName
  ? CallAnswer<Name>
  : Name extends RecoveryCallName
    ? RecoveryCallAnswer<Name>
    : never;
