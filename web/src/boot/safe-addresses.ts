import type { AuthContext, AuthResponse, LogoutContext, ParsedAnswer } from '@anteroom/contract';
import { findSafeAddress } from '../addresses.ts';

// An address that may not be followed is none: dropped here, where answers enter, so that no step and no screen has to ask again
// (wire contract, "Addresses that a server sends"). A location is the exception: a flow that ends on an unsafe one has failed.

function keptIfSafe(address: string | undefined): string | undefined {
  return findSafeAddress(address) === undefined ? undefined : address;
}

export function withSafeAddresses(context: AuthContext): AuthContext {
  return {
    ...context,
    identityServiceUrl: keptIfSafe(context.identityServiceUrl),
    forgotPasswordUrl: keptIfSafe(context.forgotPasswordUrl),
    siteRecoveryClientUri: keptIfSafe(context.siteRecoveryClientUri),
    finishedLocation: keptIfSafe(context.finishedLocation),
    cancelRedirectUri: keptIfSafe(context.cancelRedirectUri),
    originalClientUri: keptIfSafe(context.originalClientUri),
  };
}

export function withSafeLogoutAddresses(context: LogoutContext): LogoutContext {
  return {
    ...context,
    postLogoutRedirectUri: keptIfSafe(context.postLogoutRedirectUri),
    signOutIFrameUrl: keptIfSafe(context.signOutIFrameUrl),
  };
}

export function withSafeSiteAddresses(
  answer: ParsedAnswer<'getSiteExistence'>,
): ParsedAnswer<'getSiteExistence'> {
  return {
    ...answer,
    identityServiceUrl: keptIfSafe(answer.identityServiceUrl),
    forgotPasswordUrl: keptIfSafe(answer.forgotPasswordUrl),
  };
}

export function withSafeBase(answer: AuthResponse): AuthResponse {
  return { ...answer, authSiteIdentityBaseUri: keptIfSafe(answer.authSiteIdentityBaseUri) };
}
