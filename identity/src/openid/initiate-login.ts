/**
 * The address at which an application begins a sign-in because we ask it to (OpenID Connect Core, 4). It asks this region for
 * tokens with a request of its own: no answer ever comes from another issuer than the one that was asked (RFC 9700, 4.4).
 */
export function initiateLoginAddress(
  initiateLoginUri: string,
  issuer: string,
  loginHint: string | undefined,
): string {
  const url = new URL(initiateLoginUri);
  url.searchParams.set('iss', issuer);
  if (loginHint !== undefined) url.searchParams.set('login_hint', loginHint);
  return url.href;
}
