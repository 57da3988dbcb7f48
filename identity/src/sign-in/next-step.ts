import type { AuthStatus, ErrorCode, PromptMethod } from '@anteroom/contract';

/** The facts that decide the next step of a sign-in. `sign-in-facts.ts` gathers them. */
export type SignInFacts = {
  promptMethod: PromptMethod | undefined;
  userIsActive: boolean;
  /** The user authenticated in this sign-in, or has a session that satisfies the request. */
  proved: boolean;
  /** The requested or selected site with the user's membership, if any. */
  site:
    | {
        isMember: boolean;
        entitlementMet: boolean;
        asksForSecondFactor: boolean;
        allowsPasswords: boolean;
        /** The provider that authenticated the user is the site's own. */
        trustsConnection: boolean;
        /** The site's home is another region, which runs its own checks. */
        isElsewhere?: boolean;
      }
    | undefined;
  /**
   * `isAskable`: the page supports the user's factor. `mayBeSetUp`: the page supports setting up a factor, and the user
   * has just entered the password.
   */
  secondFactor: { isSetUp: boolean; passed: boolean; isAskable: boolean; mayBeSetUp: boolean };
  /** An identity provider authenticated the user, not a password. */
  externallyAuthenticated: boolean;
  hasPassword: boolean;
  mustChangePassword: boolean;
  passwordChanged: boolean;
  siteChosen: boolean;
};

/** The result of a failed check: a step of the front end, an error that ends the attempt, or a redirect to an identity provider. */
export type Outcome =
  | { status: Exclude<AuthStatus, 'redirect'> }
  | { error: ErrorCode }
  | { redirectTo: 'identity provider of the site' };

export type Check = {
  name: string;
  /** Why the check fails; also logged. */
  reason: string;
  holds: (facts: SignInFacts) => boolean;
  otherwise: Outcome;
  /** Whether the check must pass before a session begins, or applies to a user who already has a session. */
  stage: 'before-session' | 'in-session';
};

/** The checks of a sign-in, in their order. The first one that fails decides the next step. */
export const checks: readonly Check[] = [
  {
    name: 'password',
    reason: 'no user has authenticated in this sign-in',
    holds: ({ proved }) => proved,
    otherwise: { status: 'credentials_required' },
    stage: 'before-session',
  },
  {
    name: 'active-user',
    reason: 'the user is disabled; the response is that of a wrong password, so that it does not reveal this',
    holds: ({ userIsActive }) => userIsActive,
    otherwise: { error: 'invalid_credentials' },
    stage: 'before-session',
  },
  {
    name: 'entitlement',
    reason: 'the user is not a member of the site; the response is that of a wrong password',
    holds: ({ site }) => site === undefined || site.isMember,
    otherwise: { error: 'invalid_credentials' },
    stage: 'before-session',
  },
  {
    name: 'second-factor-enrolment',
    reason: 'the site requires a second factor, and the user sets one up now',
    holds: ({ site, secondFactor, externallyAuthenticated }) =>
      site?.asksForSecondFactor !== true ||
      secondFactor.isSetUp ||
      externallyAuthenticated ||
      !secondFactor.mayBeSetUp,
    otherwise: { status: 'second_factor_required' },
    stage: 'before-session',
  },
  {
    name: 'second-factor-set-up',
    reason: 'the site requires a second factor, and the user has none',
    // For a user of an identity provider, the provider decides about second factors. If the site allows passwords, a
    // later check requires one.
    holds: ({ site, secondFactor, externallyAuthenticated }) =>
      site?.asksForSecondFactor !== true || secondFactor.isSetUp || externallyAuthenticated,
    otherwise: { error: 'site_requires_mfa' },
    stage: 'before-session',
  },
  {
    name: 'second-factor-page',
    reason: 'the user has an authenticator app, but the page cannot ask for its code',
    holds: ({ secondFactor, externallyAuthenticated }) =>
      secondFactor.isAskable || secondFactor.passed || externallyAuthenticated,
    otherwise: { error: 'site_requires_mfa' },
    stage: 'before-session',
  },
  {
    name: 'second-factor',
    reason: 'the user has a second factor and has not shown it',
    holds: ({ secondFactor, externallyAuthenticated }) =>
      !secondFactor.isSetUp || secondFactor.passed || externallyAuthenticated,
    otherwise: { status: 'second_factor_required' },
    stage: 'before-session',
  },
  {
    name: 'forced-change',
    reason: 'an operator set the password, and the user must change it first',
    holds: ({ mustChangePassword, externallyAuthenticated }) =>
      !mustChangePassword || externallyAuthenticated,
    otherwise: { status: 'password_reset_required' },
    stage: 'before-session',
  },
  {
    name: 'requested-change',
    reason: 'the application requested a password change',
    holds: ({ promptMethod, passwordChanged }) => promptMethod !== 'change_password' || passwordChanged,
    otherwise: { status: 'password_reset_required' },
    stage: 'in-session',
  },
  {
    name: 'requested-choice',
    reason: 'the application requested another site',
    holds: ({ promptMethod, siteChosen }) => promptMethod !== 'switch_site' || siteChosen,
    otherwise: { status: 'select_site_required' },
    stage: 'in-session',
  },
  {
    name: 'site-choice',
    reason: 'no site is selected, or the user cannot enter the requested site',
    holds: ({ site }) => site?.entitlementMet === true,
    otherwise: { status: 'select_site_required' },
    stage: 'in-session',
  },
  {
    name: 'choice-elsewhere',
    reason: 'the site is in another region: the hand-over begins with the selection of the site',
    holds: ({ site, siteChosen }) => site?.isElsewhere !== true || siteChosen,
    otherwise: { status: 'select_site_required' },
    stage: 'in-session',
  },
  {
    name: 'password-for-site',
    reason: 'the site allows passwords, and it does not trust the provider that authenticated the user',
    // A user without a password enters with the provider's authentication, unless the site requires a second factor.
    holds: ({ site, externallyAuthenticated, hasPassword }) =>
      !externallyAuthenticated ||
      site?.isElsewhere === true ||
      site?.trustsConnection === true ||
      site?.allowsPasswords !== true ||
      (!hasPassword && !site.asksForSecondFactor),
    otherwise: { status: 'password_required' },
    stage: 'in-session',
  },
  {
    name: 'external-for-site',
    reason: 'the site requires its own provider, and another one or a password authenticated the user',
    holds: ({ site, externallyAuthenticated }) =>
      site?.isElsewhere === true ||
      site?.allowsPasswords === true ||
      (externallyAuthenticated && site?.trustsConnection === true),
    otherwise: { redirectTo: 'identity provider of the site' },
    stage: 'in-session',
  },
];

/** The first check that fails; undefined if the sign-in is complete. */
export function findNextStep(facts: SignInFacts): Check | undefined {
  return checks.find((check) => !check.holds(facts));
}
