import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf, ParsedAnswerOf } from './call.ts';

const setPreferences = defineCall({
  method: 'POST',
  path: '/api/ui/preferences',
  summary:
    'What the signed-in person wants otherwise than the rest: kept for the person, not for the browser',
  kind: 'empty',
  body: v.strictObject({
    /** Recently chosen sites stand first on the site list. Off until somebody asks for it. */
    recentSitesFirst: v.boolean(),
  }),
});

/**
 * A call of our own identity service beside the 25 of the specification, with a way in of its own (`@anteroom/contract/preferences`), so that a
 * sign-in does not carry it. A service that has it says so with `recentSitesFirst` in its answer to `getSites`.
 */
export const preferenceCalls = { setPreferences } as const;

export type PreferenceCallName = keyof typeof preferenceCalls;
/** What a handler receives. */
export type PreferenceCallInput<TName extends PreferenceCallName> = CallInputOf<
  (typeof preferenceCalls)[TName]
>;
/** What a service answers. */
export type PreferenceCallAnswer<TName extends PreferenceCallName> = CallAnswerOf<
  (typeof preferenceCalls)[TName]
>;
/** What a caller has after parsing. */
export type ParsedPreferenceAnswer<TName extends PreferenceCallName> = ParsedAnswerOf<
  (typeof preferenceCalls)[TName]
>;
