import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { siteNameMaximumLength } from '../limits.ts';
import { caseless, count, maybe, returnUrl } from '../schema.ts';
import { authResponse } from './authenticate.ts';

export const siteName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(siteNameMaximumLength));
const versions = v.array(v.object({ id: v.string(), version: v.union([v.number(), v.string()]) }));

/** One book of a site: the version that the user has seen (`storedBooks`) or the current version (`books`). */
export const bookVersion = v.object({
  bookId: v.string(),
  state: maybe(caseless(['new', 'updated'])),
  tabVersions: versions,
  documentVersions: versions,
});
export type BookVersion = v.InferOutput<typeof bookVersion>;

const siteMembers = {
  name: v.string(),
  displayName: v.string(),
  sequence: v.number(),
  logoPath: maybe(v.string()),
  storedBooks: maybe(v.array(bookVersion)),
  areEntitlementRequirementsMet: v.boolean(),
  mfaRequirementMet: v.boolean(),
  /** The label of the site; 'none' shows no label. */
  clientEntitlement: maybe(v.string()),
  disabledForEntitlements: maybe(v.boolean()),
  disabledForMfaRequirements: maybe(v.boolean()),
  /** What the user can do about an unmet second factor (docs/extensions.md). */
  mfaRemedy: maybe(v.string()),
  autofocus: maybe(v.boolean()),
};

export const childSite = v.object(siteMembers);
/** A site, or a group of child sites, whose heading is its display name. */
export const site = v.object({ ...siteMembers, sites: maybe(v.array(childSite)) });
export type Site = v.InferOutput<typeof site>;

export const getSiteExistence = defineCall({
  method: 'GET',
  path: '/api/ui/sites/:name',
  summary: 'Whether a site exists, and the address of its identity service',
  kind: 'json',
  params: v.strictObject({ name: siteName }),
  answer: v.object({
    siteExists: v.boolean(),
    /** The canonical name of the site that the visitor typed, for example by its display name. Later calls send this name. */
    name: maybe(v.string()),
    /** The organisation, unless the site hides it from visitors who have not signed in. */
    displayName: maybe(v.string()),
    logoPath: maybe(v.string()),
    identityServiceUrl: maybe(v.string()),
    forgotPasswordUrl: maybe(v.string()),
    /** The answer to `getSiteSettings`, which the page then does not request. */
    allowPasswordEntry: maybe(v.boolean()),
  }),
});

export const getSites = defineCall({
  method: 'GET',
  path: '/api/ui/sites',
  summary: 'The sites that the signed-in user can select',
  kind: 'json',
  query: v.strictObject({ returnUrl: v.optional(returnUrl) }),
  answer: v.object({
    sites: v.array(site),
    userFirstName: v.string(),
    userLastName: v.string(),
    boardsUserName: v.string(),
    directorToDoItemsEnabled: v.boolean(),
    /** Whether the user wants recently selected sites first; absent if the service does not offer this preference. */
    recentSitesFirst: maybe(v.boolean()),
    /** The names of the last selected sites, latest first, at most `recentSitesMaximumCount`; only with `recentSitesFirst`. */
    recentSites: maybe(v.array(v.string())),
    /** The names of the sites that the user has pinned, in any order; absent if the service does not offer pins. */
    pinnedSites: maybe(v.array(v.string())),
  }),
});

export const getSiteTodo = defineCall({
  method: 'GET',
  path: '/api/ui/sites/:site/todo',
  summary: 'The to-dos of the signed-in user at one site',
  kind: 'json',
  params: v.strictObject({ site: siteName }),
  answer: v.object({
    pendingVoteCount: count,
    openQuestionnairesCount: count,
    directorHomePageEnabled: v.boolean(),
    minutesCount: count,
    actionItemsCount: count,
    books: maybe(v.array(bookVersion)),
  }),
  background: true,
});

export const selectSite = defineCall({
  method: 'POST',
  path: '/api/ui/auth/select-site',
  summary: 'Select a site',
  kind: 'json',
  body: v.strictObject({ site: siteName, returnUrl: v.optional(returnUrl) }),
  answer: authResponse,
});
