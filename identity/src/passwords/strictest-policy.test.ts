import { describe, expect, test } from 'vitest';
import { policyOf } from './policy.ts';
import type { SitePasswordPolicy } from './policy.ts';
import { strictestPolicyOf } from './strictest-policy.ts';

const site = (passwordPolicy?: SitePasswordPolicy, more = {}) => ({
  asksForSecondFactor: false,
  allowPasswordEntry: true,
  passwordPolicy,
  ...more,
});

describe('a password for several sites', () => {
  test('has the largest minimum length and the longest history of the sites', () => {
    const sites = [site(undefined, { asksForSecondFactor: true }), site({ minimumLength: 20, previous: 12 })];
    expect(strictestPolicyOf(sites)).toMatchObject({ minimumLength: 20, previous: 12 });
    expect(strictestPolicyOf(sites.toReversed())).toEqual(strictestPolicyOf(sites));
  });

  test('must meet the character rules of every site', () => {
    const sites = [site({ minimumDigits: 1, minimumUppercase: 2 }), site({ minimumDigits: 3 }), site()];
    expect(strictestPolicyOf(sites)).toMatchObject({
      composition: { minimumDigits: 3, minimumUppercase: 2 },
      atLeast: undefined,
    });
  });

  test('has a choice among rules only if every site has the same choice', () => {
    const choice = { minimumDigits: 1, minimumUppercase: 1, minimumLowercase: 1 };
    const sameRules = [site({ ...choice, atLeast: 1 }), site({ ...choice, atLeast: 2 }), site()];
    expect(strictestPolicyOf(sameRules).atLeast).toBe(2);
    const otherRules = [site({ ...choice, atLeast: 1 }), site({ minimumSpecial: 1, atLeast: 1 })];
    expect(strictestPolicyOf(otherRules).atLeast).toBeUndefined();
    const allOfThem = [site({ ...choice, atLeast: 1 }), site(choice)];
    expect(strictestPolicyOf(allOfThem).atLeast).toBeUndefined();
  });

  test('uses the default policy without stricter sites, and ignores sites without passwords', () => {
    expect(strictestPolicyOf([])).toEqual(policyOf(undefined));
    expect(strictestPolicyOf([site({ minimumLength: 40 }, { allowPasswordEntry: false })])).toEqual(
      policyOf(undefined),
    );
  });
});
