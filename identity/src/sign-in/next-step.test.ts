import { describe, expect, test } from 'vitest';
import { checks, findNextStep } from './next-step.ts';
import type { SignInFacts } from './next-step.ts';

const complete: SignInFacts = {
  promptMethod: undefined,
  userIsActive: true,
  proved: true,
  site: {
    isMember: true,
    entitlementMet: true,
    asksForSecondFactor: false,
    allowsPasswords: true,
    trustsConnection: false,
  },
  secondFactor: { isSetUp: false, passed: false, isAskable: true, mayBeSetUp: false },
  externallyAuthenticated: false,
  hasPassword: true,
  mustChangePassword: false,
  passwordChanged: false,
  siteChosen: false,
};
const site = complete.site!;
const { secondFactor } = complete;

describe('the next step of a sign-in', () => {
  test('is none if every check passes', () => {
    expect(findNextStep(complete)).toBeUndefined();
  });

  const cases: [string, Partial<SignInFacts>, unknown][] = [
    ['password', { proved: false }, { status: 'credentials_required' }],
    ['active-user', { userIsActive: false }, { error: 'invalid_credentials' }],
    ['entitlement', { site: { ...site, isMember: false } }, { error: 'invalid_credentials' }],
    [
      'second-factor-enrolment',
      { site: { ...site, asksForSecondFactor: true }, secondFactor: { ...secondFactor, mayBeSetUp: true } },
      { status: 'second_factor_required' },
    ],
    [
      'second-factor-set-up',
      { site: { ...site, asksForSecondFactor: true } },
      { error: 'site_requires_mfa' },
    ],
    [
      'second-factor-page',
      { secondFactor: { ...secondFactor, isSetUp: true, isAskable: false } },
      { error: 'site_requires_mfa' },
    ],
    [
      'second-factor',
      { secondFactor: { ...secondFactor, isSetUp: true } },
      { status: 'second_factor_required' },
    ],
    ['forced-change', { mustChangePassword: true }, { status: 'password_reset_required' }],
    ['requested-change', { promptMethod: 'change_password' }, { status: 'password_reset_required' }],
    ['requested-choice', { promptMethod: 'switch_site' }, { status: 'select_site_required' }],
    ['site-choice', { site: undefined }, { status: 'select_site_required' }],
    ['choice-elsewhere', { site: { ...site, isElsewhere: true } }, { status: 'select_site_required' }],
    ['password-for-site', { externallyAuthenticated: true }, { status: 'password_required' }],
    [
      'external-for-site',
      { site: { ...site, allowsPasswords: false } },
      { redirectTo: 'identity provider of the site' },
    ],
  ];

  test.each(cases)('%s', (name, change, otherwise) => {
    const step = findNextStep({ ...complete, ...change });
    expect(step?.name).toBe(name);
    expect(step?.otherwise).toEqual(otherwise);
  });

  test('every check has a case in this test [I01]', () => {
    expect(checks.map(({ name }) => name)).toEqual(cases.map(([name]) => name));
  });

  test('checks the user first, the second factor before a required password change, and the site last [I01]', () => {
    const nothing: SignInFacts = {
      ...complete,
      proved: false,
      mustChangePassword: true,
      secondFactor: { ...secondFactor, isSetUp: true },
      site: undefined,
    };
    const passed: (string | undefined)[] = [];
    for (const change of [
      {},
      { proved: true },
      { secondFactor: { isSetUp: true, passed: true } },
      { mustChangePassword: false },
      { site },
    ]) {
      Object.assign(nothing, change);
      passed.push(findNextStep(nothing)?.name);
    }
    expect(passed).toEqual(['password', 'second-factor', 'forced-change', 'site-choice', undefined]);
  });

  test('an unmet entitlement leads to the site list, which shows the reason', () => {
    const step = findNextStep({ ...complete, site: { ...site, entitlementMet: false } });
    expect(step?.otherwise).toEqual({ status: 'select_site_required' });
  });

  test('asks a user of a provider for what the site requires, and for nothing that the provider has already checked', () => {
    const external = { ...complete, externallyAuthenticated: true };
    const own = { ...site, allowsPasswords: false, trustsConnection: true, asksForSecondFactor: true };
    const next = (change: Partial<SignInFacts>) => findNextStep({ ...external, ...change })?.name;
    expect(next({ site: own, mustChangePassword: true })).toBeUndefined();
    expect(next({ site: own, secondFactor: { ...secondFactor, isSetUp: true } })).toBeUndefined();
    expect(next({ site: { ...own, trustsConnection: false } })).toBe('external-for-site');
    expect(next({ site: { ...site, trustsConnection: true } })).toBeUndefined();
    expect(next({})).toBe('password-for-site');
    expect(next({ hasPassword: false })).toBeUndefined();
    expect(next({ hasPassword: false, site: { ...site, asksForSecondFactor: true } })).toBe(
      'password-for-site',
    );
  });

  test('every check of the authentication comes before the session begins', () => {
    const stages = checks.map(({ stage }) => stage);
    expect(stages.lastIndexOf('before-session')).toBeLessThan(stages.indexOf('in-session'));
  });
});
