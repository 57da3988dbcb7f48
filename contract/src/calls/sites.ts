import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { siteNameMaximumLength } from '../limits.ts';
import { caseless, count, maybe, returnUrl } from '../schema.ts';
import { authResponse } from './authenticate.ts';

const siteName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(siteNameMaximumLength));
const versions = v.array(v.object({ id: v.string(), version: v.union([v.number(), v.string()]) }));

/** One book of a site, as this person has seen it (`storedBooks`) or as it stands now (`books`). */
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
  /** 'none' means that no label is shown. */
  clientEntitlement: maybe(v.string()),
  disabledForEntitlements: maybe(v.boolean()),
  disabledForMfaRequirements: maybe(v.boolean()),
  autofocus: maybe(v.boolean()),
};

export const childSite = v.object(siteMembers);
/** A site; with child sites it is a group, whose header is its display name. */
export const site = v.object({ ...siteMembers, sites: maybe(v.array(childSite)) });
export type Site = v.InferOutput<typeof site>;

export const getSiteExistence = defineCall({
  method: 'GET',
  path: '/api/ui/sites/:name',
  summary: 'Whether a site exists, and where its identity service is',
  kind: 'json',
  params: v.strictObject({ name: siteName }),
  answer: v.object({
    siteExists: v.boolean(),
    /** The site's canonical name for what was typed, such as its display name: every later call carries it. */
    name: maybe(v.string()),
    /** The organisation, where the site does not hide it from visitors who have not signed in. */
    displayName: maybe(v.string()),
    logoPath: maybe(v.string()),
    identityServiceUrl: maybe(v.string()),
    forgotPasswordUrl: maybe(v.string()),
  }),
});

export const getSites = defineCall({
  method: 'GET',
  path: '/api/ui/sites',
  summary: 'The sites that the signed-in person may choose from',
  kind: 'json',
  query: v.strictObject({ returnUrl: v.optional(returnUrl) }),
  answer: v.object({
    sites: v.array(site),
    userFirstName: v.string(),
    userLastName: v.string(),
    boardsUserName: v.string(),
    directorToDoItemsEnabled: v.boolean(),
    /** Whether this person wants recently chosen sites first; absent where the service does not offer it. */
    recentSitesFirst: maybe(v.boolean()),
    /** Names of the sites chosen last, the latest first, at most `recentSitesMaximumCount`; only for somebody who wants them. */
    recentSites: maybe(v.array(v.string())),
  }),
});

export const getSiteTodo = defineCall({
  method: 'GET',
  path: '/api/ui/sites/:site/todo',
  summary: 'What awaits the signed-in person at one site',
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
});

export const selectSite = defineCall({
  method: 'POST',
  path: '/api/ui/auth/select-site',
  summary: 'Enter a site',
  kind: 'json',
  body: v.strictObject({ site: siteName, returnUrl: v.optional(returnUrl) }),
  answer: authResponse,
});
