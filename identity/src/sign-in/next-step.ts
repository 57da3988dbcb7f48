import type { AuthStatus, ErrorCode, PromptMethod } from '@anteroom/contract';

/** Where somebody stands in a sign-in: plain facts, gathered once (`sign-in-facts.ts`). */
export type SignInFacts = {
  promptMethod: PromptMethod | undefined;
  personIsActive: boolean;
  /** A password or a provider proved the person in this sign-in, or a session that is good enough for what was asked does. */
  proved: boolean;
  /** The site that was named or chosen, as this person may use it; absent while none is. */
  site:
    | {
        isMember: boolean;
        entitlementMet: boolean;
        asksForSecondFactor: boolean;
        allowsPasswords: boolean;
        /** The provider that proved the person is the one whose people sign in at this site. */
        trustsProvider: boolean;
        /** Its home is another region, which asks for what it wants itself. */
        isElsewhere?: boolean;
      }
    | undefined;
  /** `isAskable`: the page can ask for it; `mayBeSetUp`: it can set one up, and the password was proved just now. */
  secondFactor: { isSetUp: boolean; passed: boolean; isAskable: boolean; mayBeSetUp: boolean };
  /** A provider proved the person, and not a password. */
  externallyAuthenticated: boolean;
  hasPassword: boolean;
  mustChangePassword: boolean;
  passwordChanged: boolean;
  siteChosen: boolean;
};

/** What is still missing: a status that the front end knows a screen for, an error that ends the attempt, or a trip to a provider. */
export type Outcome =
  | { status: Exclude<AuthStatus, 'redirect'> }
  | { error: ErrorCode }
  | { trip: 'provider of the site' };

export type Check = {
  name: string;
  /** Why the visitor is asked, for the log and for whoever reads this table. */
  reason: string;
  holds: (facts: SignInFacts) => boolean;
  otherwise: Outcome;
  /** 'proof' stands before the session begins: nobody has one without it. 'place' is asked of somebody who is signed in. */
  stage: 'proof' | 'place';
};

/** What must happen next, in this order: the first check that does not hold decides. */
export const checks: readonly Check[] = [
  {
    name: 'password',
    reason: 'nobody has proved who they are in this sign-in',
    holds: ({ proved }) => proved,
    otherwise: { status: 'credentials_required' },
    stage: 'proof',
  },
  {
    name: 'lock',
    reason: 'the person is disabled; the answer is that of a wrong password, so that nobody learns it',
    holds: ({ personIsActive }) => personIsActive,
    otherwise: { error: 'invalid_credentials' },
    stage: 'proof',
  },
  {
    name: 'entitlement',
    reason: 'the person does not belong to the site; the answer is that of a wrong password',
    holds: ({ site }) => site === undefined || site.isMember,
    otherwise: { error: 'invalid_credentials' },
    stage: 'proof',
  },
  {
    name: 'second-factor-enrolment',
    reason: 'the site asks for a second factor, and the user sets one up now',
    holds: ({ site, secondFactor, externallyAuthenticated }) =>
      site?.asksForSecondFactor !== true ||
      secondFactor.isSetUp ||
      externallyAuthenticated ||
      !secondFactor.mayBeSetUp,
    otherwise: { status: 'second_factor_required' },
    stage: 'proof',
  },
  {
    name: 'second-factor-set-up',
    reason: 'the site asks for a second factor and the person has none',
    // whoever comes from a provider has passed what that asks; a site that has passwords asks for one of ours below
    holds: ({ site, secondFactor, externallyAuthenticated }) =>
      site?.asksForSecondFactor !== true || secondFactor.isSetUp || externallyAuthenticated,
    otherwise: { error: 'site_requires_mfa' },
    stage: 'proof',
  },
  {
    name: 'second-factor-page',
    reason: 'the user has an authenticator app, and the page cannot ask for its code',
    holds: ({ secondFactor, externallyAuthenticated }) =>
      secondFactor.isAskable || secondFactor.passed || externallyAuthenticated,
    otherwise: { error: 'site_requires_mfa' },
    stage: 'proof',
  },
  {
    name: 'second-factor',
    reason: 'the person has a second factor and has not shown it',
    holds: ({ secondFactor, externallyAuthenticated }) =>
      !secondFactor.isSetUp || secondFactor.passed || externallyAuthenticated,
    otherwise: { status: 'second_factor_required' },
    stage: 'proof',
  },
  {
    name: 'forced-change',
    reason: 'the password was set by somebody else and must be changed first',
    holds: ({ mustChangePassword, externallyAuthenticated }) =>
      !mustChangePassword || externallyAuthenticated,
    otherwise: { status: 'password_reset_required' },
    stage: 'proof',
  },
  {
    name: 'requested-change',
    reason: 'the application asked for a change of password',
    holds: ({ promptMethod, passwordChanged }) => promptMethod !== 'change_password' || passwordChanged,
    otherwise: { status: 'password_reset_required' },
    stage: 'place',
  },
  {
    name: 'requested-choice',
    reason: 'the application asked for another site',
    holds: ({ promptMethod, siteChosen }) => promptMethod !== 'switch_site' || siteChosen,
    otherwise: { status: 'select_site_required' },
    stage: 'place',
  },
  {
    name: 'site-choice',
    reason: 'no site is chosen yet, or the one that was named cannot be entered',
    holds: ({ site }) => site?.entitlementMet === true,
    otherwise: { status: 'select_site_required' },
    stage: 'place',
  },
  {
    name: 'choice-elsewhere',
    reason: 'the site is entered in another region: the hand-over begins where sites are chosen',
    holds: ({ site, siteChosen }) => site?.isElsewhere !== true || siteChosen,
    otherwise: { status: 'select_site_required' },
    stage: 'place',
  },
  {
    name: 'password-for-site',
    reason:
      'the session came from a provider that is nothing to the site, and the site has passwords: it is confirmed for that site',
    // who has no password, and could give none, enters by what their company vouches for, unless the site asks for more
    holds: ({ site, externallyAuthenticated, hasPassword }) =>
      !externallyAuthenticated ||
      site?.isElsewhere === true ||
      site?.trustsProvider === true ||
      site?.allowsPasswords !== true ||
      (!hasPassword && !site.asksForSecondFactor),
    otherwise: { status: 'password_required' },
    stage: 'place',
  },
  {
    name: 'external-for-site',
    reason: 'the site signs people in at its own provider, and the session came from elsewhere',
    holds: ({ site, externallyAuthenticated }) =>
      site?.isElsewhere === true ||
      site?.allowsPasswords === true ||
      (externallyAuthenticated && site?.trustsProvider === true),
    otherwise: { trip: 'provider of the site' },
    stage: 'place',
  },
];

/** The first check that does not hold; undefined when the sign-in is complete. */
export function findNextStep(facts: SignInFacts): Check | undefined {
  return checks.find((check) => !check.holds(facts));
}
