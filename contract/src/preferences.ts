import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallInputOf } from './call.ts';
import { siteName } from './calls/sites.ts';

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

const pinSite = defineCall({
  method: 'POST',
  path: '/api/ui/pinned-sites',
  summary:
    'Pin a site in the list of the signed-in user, or unpin it; stored for the user, not for the browser',
  kind: 'empty',
  body: v.strictObject({
    /** The name of one of the user's sites; any other name is `not_found`. */
    site: siteName,
    isPinned: v.boolean(),
  }),
});

/**
 * Calls of this project's identity service in addition to the 25 calls of the specification. They have their own entry
 * point (`@anteroom/contract/preferences`), so that a sign-in does not load them. A service that supports
 * `setPreferences` has `recentSitesFirst` in its answer to `getSites`, and one that supports `pinSite` has
 * `pinnedSites`.
 */
export const preferenceCalls = { setPreferences, pinSite } as const;

export type PreferenceCallInput<TName extends keyof typeof preferenceCalls> = CallInputOf<
  (typeof preferenceCalls)[TName]
>;
