// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import {
  withSafeAddresses,
  withSafeBase,
  withSafeLogoutAddresses,
  withSafeSiteAddresses,
} from './safe-addresses.ts';

const unsafe = ['javascript:alert(1)', '//evil.example/', '/\\evil.example', 'data:text/html,x', ''];
const safe = ['https://boards.example/a', '/connect/a'];

const context = {
  defaultSite: 'northwind',
  selectSite: false,
  userName: undefined,
  promptMethod: undefined,
  identityServiceUrl: undefined,
  forgotPasswordUrl: undefined,
  siteRecoveryClientUri: undefined,
  allowDefaultSiteEntry: true,
  allowUserNameEntry: true,
  allowPasswordEntry: true,
  cancelRedirectUri: undefined,
  originalClientUri: undefined,
  mfaCodeValidityInMinutes: undefined,
  reauthRequested: false,
  loginHint: undefined,
  clientId: undefined,
  returnUrl: undefined,
  passwordPolicy: undefined,
  mfaAdaptivePolicyEnabled: undefined,
  mfaPhoneNumberSuffix: undefined,
  loginFlowCustomizations: undefined,
  session: { state: 'none', authSite: undefined, isExternallyAuthenticated: false },
} as const;

describe('an address that may not be followed is none', () => {
  test.each([...unsafe.map((address) => [address, undefined]), ...safe.map((address) => [address, address])])(
    '%j is kept as %j in every answer that carries addresses',
    (address, kept) => {
      const read = withSafeAddresses({
        ...context,
        finishedLocation: address,
        identityServiceUrl: address,
        forgotPasswordUrl: address,
        siteRecoveryClientUri: address,
        cancelRedirectUri: address,
        originalClientUri: address,
      });
      expect([
        read.finishedLocation,
        read.identityServiceUrl,
        read.forgotPasswordUrl,
        read.siteRecoveryClientUri,
        read.cancelRedirectUri,
        read.originalClientUri,
      ]).toEqual([kept, kept, kept, kept, kept, kept]);
      const logout = withSafeLogoutAddresses({
        requiresConfirmation: true,
        showCancelButton: true,
        postLogoutRedirectUri: address,
        signOutIFrameUrl: address,
      });
      expect([logout.postLogoutRedirectUri, logout.signOutIFrameUrl]).toEqual([kept, kept]);
      const site = { siteExists: true, identityServiceUrl: address, forgotPasswordUrl: address };
      expect(withSafeSiteAddresses(site)).toEqual({
        siteExists: true,
        identityServiceUrl: kept,
        forgotPasswordUrl: kept,
      });
      const answer = {
        status: 'redirect',
        location: address,
        authSiteIdentityBaseUri: address,
        mfaAdaptivePolicyEnabled: undefined,
        mfaPhoneNumberSuffix: undefined,
        mfaCodeValidityInMinutes: undefined,
      } as const;
      expect(withSafeBase(answer)).toEqual({ ...answer, authSiteIdentityBaseUri: kept });
    },
  );
});
