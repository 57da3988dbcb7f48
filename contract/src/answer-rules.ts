import * as v from 'valibot';
import type { Call } from './call.ts';
import type { AuthContext, AuthResponse, CallName, LogoutContext, ParsedAnswer } from './index.ts';
import { recentSitesMaximumCount } from './limits.ts';

/** A rule about an answer: what it says in one sentence, and whether it holds. */
type AnswerRule<TAnswer> = readonly [rule: string, holds: (answer: TAnswer) => boolean];

const authResponseRules: readonly AnswerRule<AuthResponse>[] = [
  [
    'a location comes with "redirect", and with no other status',
    ({ status, location }) => (status === 'redirect') === (location !== undefined),
  ],
  [
    'what is said of a code comes with "second_factor_required" alone',
    (answer) =>
      answer.status === 'second_factor_required' ||
      (answer.mfaPhoneNumberSuffix ??
        answer.mfaCodeValidityInMinutes ??
        answer.mfaAdaptivePolicyEnabled ??
        answer.nextCodeInSeconds ??
        answer.codeSent) === undefined,
  ],
];

const contextRules: readonly AnswerRule<AuthContext>[] = [
  [
    'a site of the session, and how its person signed in, come with a valid session alone',
    ({ session }) =>
      session.state === 'valid' || (session.authSite === undefined && !session.isExternallyAuthenticated),
  ],
  [
    'a site is chosen by a person who is signed in',
    ({ selectSite, session }) => !selectSite || session.state === 'valid',
  ],
];

const logoutContextRules: readonly AnswerRule<LogoutContext>[] = [
  [
    'a cancel button comes with a confirmation, and with an address to go to',
    ({ showCancelButton, requiresConfirmation, postLogoutRedirectUri }) =>
      !showCancelButton || (requiresConfirmation && postLogoutRedirectUri !== undefined),
  ],
];

const siteListRules: readonly AnswerRule<ParsedAnswer<'getSites'>>[] = [
  [
    'no two entries that may be chosen have the same name',
    ({ sites }) => {
      const names = sites.flatMap((site) => (site.sites ?? [site]).map(({ name }) => name));
      return new Set(names).size === names.length;
    },
  ],
  [
    'at most one entry has the focus',
    ({ sites }) => sites.flatMap((site) => site.sites ?? [site]).filter((site) => site.autofocus).length <= 1,
  ],
  [
    'recent sites come with the wish for them alone, and not more than the contract has',
    ({ recentSites = [], recentSitesFirst }) =>
      recentSites.length === 0 ||
      (recentSitesFirst === true && recentSites.length <= recentSitesMaximumCount),
  ],
];

/**
 * What the members of one answer say about each other (wire contract, "Answers" and its tables of decisions). A schema cannot say it, and
 * the front end does not rely on it: services are held to it, the scripted one of the tests included.
 */
const rules: { readonly [TName in CallName]?: readonly AnswerRule<ParsedAnswer<TName>>[] } = {
  getAuthContext: contextRules,
  getRefreshContext: contextRules,
  getLogoutContext: logoutContextRules,
  getSiteExistence: [
    [
      'of a site that does not exist nothing else is said',
      ({ siteExists, ...more }) => siteExists || Object.values(more).every((value) => value === undefined),
    ],
  ],
  authenticate: authResponseRules,
  verifyMfaCode: authResponseRules,
  passwordReset: authResponseRules,
  selectSite: authResponseRules,
  getSites: siteListRules,
};

/** What is wrong with an answer by the contract: its shape, or what its members say about each other. */
export function findContradictions(name: string, { answer: schema }: Call, answer: unknown): string[] {
  if (schema === undefined) return [];
  const result = v.safeParse(schema, answer);
  // never what stands there: it may be personal
  if (!result.success)
    return result.issues.map((issue) => {
      const isMissing = issue.received === 'undefined';
      return `${v.getDotPath(issue) ?? 'the answer'} is ${isMissing ? 'missing' : `not ${issue.expected ?? issue.type}`}`;
    });
  const own = (rules as Readonly<Record<string, readonly AnswerRule<unknown>[] | undefined>>)[name];
  return (own ?? []).filter(([, holds]) => !holds(result.output)).map(([rule]) => rule);
}
