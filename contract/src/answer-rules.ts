import * as v from 'valibot';
import type { Call } from './call.ts';
import type { AuthContext, AuthResponse, CallName, LogoutContext, ParsedAnswer } from './index.ts';
import { recentSitesMaximumCount, rememberedAccountsMaximumCount } from './limits.ts';

/** A rule about an answer: the sentence that a report shows, and the predicate. */
type AnswerRule<TAnswer> = readonly [rule: string, holds: (answer: TAnswer) => boolean];

const authResponseRules: readonly AnswerRule<AuthResponse>[] = [
  [
    '"location" is present exactly when the status is "redirect"',
    ({ status, location }) => (status === 'redirect') === (location !== undefined),
  ],
  [
    '"sessionValid" is present only with the status "redirect"',
    ({ status, sessionValid }) => status === 'redirect' || sessionValid === undefined,
  ],
  [
    'the members about a second factor are present only with the status "second_factor_required"',
    (answer) =>
      answer.status === 'second_factor_required' ||
      (answer.mfaPhoneNumberSuffix ??
        answer.mfaCodeValidityInMinutes ??
        answer.mfaAdaptivePolicyEnabled ??
        answer.nextCodeInSeconds ??
        answer.codeSent ??
        answer.secondFactors) === undefined,
  ],
];

const contextRules: readonly AnswerRule<AuthContext>[] = [
  [
    '"authSite" and "isExternallyAuthenticated" are set only for a valid session',
    ({ session }) =>
      session.state === 'valid' || (session.authSite === undefined && !session.isExternallyAuthenticated),
  ],
  [
    '"selectSite" is true only for a valid session',
    ({ selectSite, session }) => !selectSite || session.state === 'valid',
  ],
  [
    'remembered accounts are offered only to a visitor without a session, a user name or a prompt, and at most as many as the contract allows',
    ({ rememberedAccounts = [], session, userName, promptMethod, loginHint }) =>
      rememberedAccounts.length === 0 ||
      (session.state !== 'valid' &&
        (userName ?? promptMethod ?? loginHint) === undefined &&
        rememberedAccounts.length <= rememberedAccountsMaximumCount),
  ],
];

const logoutContextRules: readonly AnswerRule<LogoutContext>[] = [
  [
    '"showCancelButton" requires a confirmation and a "postLogoutRedirectUri"',
    ({ showCancelButton, requiresConfirmation, postLogoutRedirectUri }) =>
      !showCancelButton || (requiresConfirmation && postLogoutRedirectUri !== undefined),
  ],
];

const siteListRules: readonly AnswerRule<ParsedAnswer<'getSites'>>[] = [
  [
    'no two selectable entries have the same name',
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
    'recent sites are present only with "recentSitesFirst", and at most as many as the contract allows',
    ({ recentSites = [], recentSitesFirst }) =>
      recentSites.length === 0 ||
      (recentSitesFirst === true && recentSites.length <= recentSitesMaximumCount),
  ],
];

/**
 * Rules between members of one answer that a schema cannot express (wire contract, "Answers" and its decision tables). The front end does
 * not rely on them; they are enforced on services, including the scripted service of the tests.
 */
const rules: { readonly [TName in CallName]?: readonly AnswerRule<ParsedAnswer<TName>>[] } = {
  getAuthContext: contextRules,
  getRefreshContext: contextRules,
  getLogoutContext: logoutContextRules,
  getSiteExistence: [
    [
      'an answer about a site that does not exist has no other members',
      ({ siteExists, ...others }) =>
        siteExists || Object.values(others).every((value) => value === undefined),
    ],
  ],
  authenticate: authResponseRules,
  verifyMfaCode: authResponseRules,
  passwordReset: authResponseRules,
  selectSite: authResponseRules,
  getSites: siteListRules,
};

/** Lists how an answer breaks the contract: schema errors, or else violated rules between its members. */
export function findContradictions(name: string, { answer: schema }: Call, answer: unknown): string[] {
  if (schema === undefined) return [];
  const result = v.safeParse(schema, answer);
  // The message omits the value, which can be personal data.
  if (!result.success)
    return result.issues.map((issue) => {
      const isMissing = issue.received === 'undefined';
      return `${v.getDotPath(issue) ?? 'the answer'} is ${isMissing ? 'missing' : `not ${issue.expected ?? issue.type}`}`;
    });
  const ownRules = (rules as Readonly<Record<string, readonly AnswerRule<unknown>[] | undefined>>)[name];
  return (ownRules ?? []).filter(([, holds]) => !holds(result.output)).map(([rule]) => rule);
}
