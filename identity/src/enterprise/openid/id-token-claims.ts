import type { IDToken } from 'openid-client';
import { tripSeconds } from '../external-requests.ts';
import { ExternalFailure } from '../external-provider.ts';

/** How far apart the clocks of two organisations may be (attacks and faults, S53 and F07). */
export const clockToleranceSeconds = 60;
/**
 * A code is redeemed at once, so an honest ID token is seconds old. Microsoft Entra ID dates its tokens five minutes back
 * (https://github.com/openid/AppAuth-iOS/issues/264), so one may be as old as a redirect to the provider may take.
 */
const longestAgeSeconds = tripSeconds;

/**
 * What OpenID Connect Core, 3.1.3.7, asks of an ID token and openid-client leaves to its caller. The library has checked signature,
 * issuer, audience, expiry and nonce, and `azp` where there are several audiences.
 * @throws ExternalFailure, with a reason of its own for each check
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
  // a time in the future would be fresh enough for every `max_age`
  if (authTime !== undefined && authTime > nowSeconds + clockToleranceSeconds)
    refuse('the person has authenticated in the future');
}

function refuse(reason: string): never {
  throw new ExternalFailure(`ID token: ${reason}`);
}
