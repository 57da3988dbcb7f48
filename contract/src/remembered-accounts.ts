import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallInputOf } from './call.ts';

const forgetAccount = defineCall({
  method: 'POST',
  path: '/api/ui/remembered-accounts/forget',
  summary: 'Make this browser forget an account that it has signed in to',
  kind: 'empty',
  body: v.strictObject({
    /** `id` of a remembered account; an unknown id changes nothing. */
    id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  }),
  ownOrigin: true,
});

/**
 * A call of this project's identity service in addition to the 25 calls of the specification. It has its own entry point
 * (`@anteroom/contract/remembered-accounts`), so that the first screen does not load it. A service that supports it has
 * `rememberedAccounts` in its context.
 */
export const rememberedAccountCalls = { forgetAccount } as const;

export type RememberedAccountCallInput<TName extends keyof typeof rememberedAccountCalls> = CallInputOf<
  (typeof rememberedAccountCalls)[TName]
>;
