import type { AuthStatus, ErrorCode, PromptMethod } from '@anteroom/contract';

/** Where somebody stands in a sign-in: plain facts, gathered once (`standing.ts`). */
export type Standing = {
  promptMethod: PromptMethod | undefined;
  personIsActive: boolean;
  /** The password was proved in this sign-in, or a session that is good enough for what was asked proves it. */
  passwordProved: boolean;
  /** The site that was named or chosen, as this person may use it; absent while none is. */
  site:
    | {
        isMember: boolean;
        entitlementMet: boolean;
        secondFactorRequired: boolean;
        externallyAuthenticated: boolean;
      }
    | undefined;
  secondFactor: { isSetUp: boolean; passed: boolean };
  externallyAuthenticated: boolean;
  mustChangePassword: boolean;
  passwordChanged: boolean;
  siteChosen: boolean;
};

/** What is still missing: a status that the front end knows a screen for, or an error that ends the attempt. */
export type Outcome = { status: Exclude<AuthStatus, 'redirect'> } | { error: ErrorCode };

export type Check = {
  name: string;
  /** Why the visitor is asked, for the log and for whoever reads this table. */
  reason: string;
  holds: (standing: Standing) => boolean;
  otherwise: Outcome;
  /** 'proof' stands before the session begins: nobody has one without it. 'place' is asked of somebody who is signed in. */
  stage: 'proof' | 'place';
};

/** What must happen next, in this order: the first check that does not hold decides. */
export const checks: readonly Check[] = [
  {
    name: 'password',
    reason: 'nobody has proved who they are in this sign-in',
    holds: ({ passwordProved }) => passwordProved,
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
    name: 'second-factor-set-up',
    reason: 'the site asks for a second factor and the person has none',
    holds: ({ site, secondFactor }) => site?.secondFactorRequired !== true || secondFactor.isSetUp,
    otherwise: { error: 'site_requires_mfa' },
    stage: 'proof',
  },
  {
    name: 'second-factor',
    reason: 'the person has a second factor and has not shown it',
    holds: ({ secondFactor }) => !secondFactor.isSetUp || secondFactor.passed,
    otherwise: { status: 'second_factor_required' },
    stage: 'proof',
  },
  {
    name: 'forced-change',
    reason: 'the password was set by somebody else and must be changed first',
    holds: ({ mustChangePassword }) => !mustChangePassword,
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
    name: 'password-for-site',
    reason:
      'the session came from an external provider and the site has passwords: it is confirmed for that site',
    holds: ({ site, externallyAuthenticated }) =>
      !externallyAuthenticated || site?.externallyAuthenticated === true,
    otherwise: { status: 'password_required' },
    stage: 'place',
  },
  {
    name: 'external-for-site',
    reason: 'the site signs people in elsewhere and the session came from a password',
    holds: ({ site, externallyAuthenticated }) =>
      externallyAuthenticated || site?.externallyAuthenticated !== true,
    otherwise: { status: 'credentials_required' },
    stage: 'place',
  },
];

/** The first check that does not hold; undefined when the sign-in is complete. */
export function findNextStep(standing: Standing): Check | undefined {
  return checks.find((check) => !check.holds(standing));
}
