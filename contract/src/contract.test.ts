import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { bookVersion } from './calls/sites.ts';
import { calls, errorBody, errorCatalogue, resendWaitSeconds } from './index.ts';
import type { AuthContext, CallAnswer, CallInput, CallName } from './index.ts';

const context = {
  selectSite: false,
  allowDefaultSiteEntry: true,
  allowUserNameEntry: true,
  allowPasswordEntry: true,
  reauthRequested: false,
  session: { state: 'none', isExternallyAuthenticated: false },
};

describe('the contract', () => {
  test('has the 25 calls of the specification, each with a unique address [7.3]', () => {
    const addresses = Object.values(calls).map((call) => `${call.method} ${call.path}`);
    expect(addresses).toHaveLength(25);
    expect(new Set(addresses).size).toBe(25);
  });

  test('a code can be sent again after 30 seconds by default (specification, point 9) [9.1]', () => {
    expect(resendWaitSeconds).toBe(30);
  });

  test('a call that changes state is a POST', () => {
    const changing: CallName[] = [
      'authenticate',
      'verifyMfaCode',
      'resendMfaCode',
      'signOut',
      'passwordReset',
      'selectSite',
    ];
    for (const name of changing) expect(calls[name].method, name).toBe('POST');
  });

  test('every error code has a 4xx or 5xx status', () => {
    for (const [code, { status }] of Object.entries(errorCatalogue)) {
      expect(code).toMatch(/^[a-z][a-z_]+$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });
});

describe('requests', () => {
  test('reject an unknown member [7.3]', () => {
    const schema = calls.authenticate.body;
    expect(v.is(schema, { password: 'x' })).toBe(true);
    expect(v.is(schema, { password: 'x', isAdmin: true })).toBe(false);
  });

  test('a site name has 1 to 50 characters [9.1]', () => {
    const { params } = calls.getSiteExistence;
    expect(v.is(params, { name: 'a'.repeat(50) })).toBe(true);
    expect(v.is(params, { name: 'a'.repeat(51) })).toBe(false);
    expect(v.is(params, { name: '' })).toBe(false);
  });

  test('a second-factor code is exactly six digits [9.1]', () => {
    const { body } = calls.verifyMfaCode;
    for (const code of ['12345', '1234567', '12345a', '١٢٣٤٥', ''])
      expect(v.is(body, { code }), code).toBe(false);
    expect(v.is(body, { code: '012345' })).toBe(true);
  });

  test('sign-out accepts no body or an empty object [7.7]', () => {
    expect(v.is(calls.signOut.body, undefined)).toBe(true);
    expect(v.is(calls.signOut.body, {})).toBe(true);
    expect(v.is(calls.signOut.body, { all: true })).toBe(false);
  });
});

describe('answers', () => {
  test('ignore an unknown member', () => {
    const parsed = v.parse(calls.getAuthContext.answer, { ...context, novelty: { a: 1 } });
    expect(parsed).not.toHaveProperty('novelty');
  });

  test('null for an optional member is parsed as undefined [3.1]', () => {
    const parsed = v.parse(calls.getAuthContext.answer, {
      ...context,
      userName: null,
      loginFlowCustomizations: null,
    });
    expect(parsed.userName).toBeUndefined();
    expect(parsed.loginFlowCustomizations).toBeUndefined();
  });

  test('the context has every member of the specification and accepts null only for optional members [3.1]', () => {
    const { answer } = calls.getAuthContext;
    const full = {
      ...context,
      defaultSite: 'harbor',
      userName: 'dana',
      promptMethod: 'elevate',
      identityServiceUrl: 'https://id.example',
      forgotPasswordUrl: '/forgot',
      siteRecoveryClientUri: '/sites',
      cancelRedirectUri: 'https://boards.example/cancelled',
      originalClientUri: 'https://boards.example/',
      mfaCodeValidityInMinutes: 10,
      loginHint: 'dana',
      clientId: 'director',
      returnUrl: '/connect/authorize/1',
      passwordPolicy: { policyLines: [{ line: 'minimumLength' }], minimumLength: 15 },
      mfaAdaptivePolicyEnabled: true,
      mfaPhoneNumberSuffix: '42',
      loginFlowCustomizations: { nestedUIEliminated: true },
      rememberedAccounts: [
        { id: 'one', name: 'D', userName: 'dana', site: 'harbor', siteDisplayName: 'H', siteLogoPath: '/l' },
      ],
      session: { state: 'valid', authSite: 'harbor', isExternallyAuthenticated: true },
    };
    expect(v.parse(answer, full)).toEqual(full);
    for (const name of Object.keys(full)) {
      const withNull = { ...full, [name]: null };
      if (name in context) expect(v.is(answer, withNull), name).toBe(false);
      else expect(Reflect.get(v.parse(answer, withNull), name), name).toBeUndefined();
    }
  });

  test('the answer of each sign-in step has a status, a location and the base address of the next calls [3.4]', () => {
    const full = {
      status: 'redirect',
      location: 'https://boards.example/callback',
      authSiteIdentityBaseUri: 'https://us.id.example',
    };
    for (const name of ['authenticate', 'verifyMfaCode', 'passwordReset', 'selectSite'] as const) {
      const { answer } = calls[name];
      expect(v.parse(answer, full)).toEqual(full);
      const withNull = v.parse(answer, { ...full, location: null, authSiteIdentityBaseUri: null });
      expect([withNull.location, withNull.authSiteIdentityBaseUri]).toEqual([undefined, undefined]);
      expect(v.is(answer, { ...full, status: 'surprise' }), name).toBe(false);
    }
    const existence = { siteExists: true, identityServiceUrl: 'https://id.example', forgotPasswordUrl: '/f' };
    expect(v.parse(calls.getSiteExistence.answer, existence)).toEqual(existence);
  });

  test('enumerations are parsed case-insensitively [3.1, 3.4]', () => {
    const parsed = v.parse(calls.getAuthContext.answer, {
      ...context,
      promptMethod: 'Switch_Site',
      session: { state: 'VALID', isExternallyAuthenticated: false },
    });
    expect(parsed.promptMethod).toBe('switch_site');
    expect(parsed.session.state).toBe('valid');
    expect(v.is(calls.authenticate.answer, { status: 'surprise' })).toBe(false);
  });

  test('the state of a book is parsed case-insensitively', () => {
    const book = { bookId: 'b1', state: 'Updated', tabVersions: [], documentVersions: [] };
    expect(v.parse(bookVersion, book).state).toBe('updated');
  });

  test('an error body has a code and an optional description', () => {
    expect(v.is(errorBody, { code: 'a_code_nobody_knows' })).toBe(true);
    expect(v.is(errorBody, { description: 'no code' })).toBe(false);
  });

  test('password policy lines can be nested, and the numbers beside them are preserved [3.8]', () => {
    const parsed = v.parse(calls.passwordPolicy.answer, {
      minimumLength: 12,
      policyLines: [{ line: 'atLeast', subPolicies: [{ line: 'minimumDigits', subPolicies: null }] }],
    });
    expect(parsed['minimumLength']).toBe(12);
    expect(parsed.policyLines[0]?.subPolicies?.[0]?.line).toBe('minimumDigits');
  });
});

test('the types of answers are exact, and parsed enumerations are in lower case', () => {
  expectTypeOf<CallAnswer<'getRetry'>>().toEqualTypeOf<{ retry: boolean }>();
  expectTypeOf<CallAnswer<'signOut'>>().toEqualTypeOf<undefined>();
  expectTypeOf<CallAnswer<'getSamlSso'>>().toEqualTypeOf<{ location: string }>();
  expectTypeOf<CallInput<'getSiteExistence'>['params']>().toEqualTypeOf<{ name: string }>();
  expectTypeOf<AuthContext['session']['state']>().toEqualTypeOf<'none' | 'expired' | 'valid'>();
  expectTypeOf<AuthContext['userName']>().toEqualTypeOf<string | undefined>();
});
