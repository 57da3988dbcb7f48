import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallInputOf } from './call.ts';

const setPreferences = defineCall({
  method: 'POST',
  path: '/api/ui/preferences',
  summary: 'Set the preferences of the signed-in user; stored for the user, not for the browser',
  kind: 'empty',
  body: v.strictObject({
    /** The site list begins with the recently selected sites. Default: false. */
    recentSitesFirst: v.boolean(),
  }),
});

/**
 * A call of this project's identity service in addition to the 25 calls of the specification. It has its own entry point
 * (`@anteroom/contract/preferences`), so that a sign-in does not load it. A service that supports it has `recentSitesFirst` in its answer
 * to `getSites`.
 */
export const preferenceCalls = { setPreferences } as const;

export type PreferenceCallInput<TName extends keyof typeof preferenceCalls> = CallInputOf<
  (typeof preferenceCalls)[TName]
>;
