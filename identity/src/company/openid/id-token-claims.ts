import type { IDToken } from 'openid-client';
import { requestLifetimeSeconds } from '../external-requests.ts';
import { ExternalFailure } from '../external-provider.ts';

/** The tolerated clock difference to the provider (attacks and faults, S53 and F07). */
export const clockToleranceSeconds = 60;
/**
 * An authorization code is redeemed at once, so a genuine ID token is only seconds old. Microsoft Entra ID backdates
 * its tokens by five minutes (https://github.com/openid/AppAuth-iOS/issues/264), so the limit is the lifetime of the
 * request.
 */
const longestAgeSeconds = requestLifetimeSeconds;

/**
 * The checks of OpenID Connect Core, 3.1.3.7, that openid-client leaves to its caller. The library has verified the
 * signature, issuer, audience, expiry and nonce, and `azp` if there are several audiences.
 * @throws ExternalFailure, with a separate reason for each check
 */
export function validateIdTokenClaims(
  { azp, iat, auth_time: authTime }: Pick<IDToken, 'azp' | 'iat' | 'auth_time'>,
  clientId: string,
  now: Date,
): void {
  const nowSeconds = now.getTime() / 1000;
  if (azp !== undefined && azp !== clientId) refuse('the authorized party (azp) is another client');
  if (iat > nowSeconds + clockToleranceSeconds) refuse('issued in the future');
  if (iat < nowSeconds - longestAgeSeconds - clockToleranceSeconds) refuse('issued too long ago');
  // a time in the future would satisfy every `max_age`
  if (authTime !== undefined && authTime > nowSeconds + clockToleranceSeconds)
    refuse('the user has authenticated in the future');
}

function refuse(reason: string): never {
  throw new ExternalFailure(`ID token: ${reason}`);
}
