import * as client from 'openid-client';
import type { ExternalProof, OpenidSettings } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';
import { validateIdTokenClaims } from './id-token-claims.ts';
import { readPersonName, splitPersonName } from './person-names.ts';

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;
type Claims = Readonly<Record<string, unknown>>;

/** A subject has at most 255 ASCII characters (OpenID Connect Core, 2). Session ids have the same limit. */
export const providerIdPattern = /^[\u0020-\u007e]{1,255}$/;
/** The ID token becomes part of a URL at sign-out, and servers limit the length of URLs. */
const longestIdToken = 6000;
/** RFC 5321, 4.5.3.1.3. */
const longestEmail = 254;

/** Reads the proof from an ID token with a valid signature, issuer, audience, expiry and nonce. */
export async function readProof(
  configuration: client.Configuration,
  settings: OpenidSettings,
  tokens: Tokens,
): Promise<ExternalProof> {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined)
    throw new ExternalFailure('the provider sent no ID token');
  requireIdToken(tokens.id_token);
  // This uses the machine's clock, as the library does.
  validateIdTokenClaims(claims, settings.clientId, new Date());
  if (!providerIdPattern.test(claims.sub))
    throw new ExternalFailure('the subject is not 1 to 255 printable ASCII characters');

  const known = await completeClaims(configuration, settings, tokens, claims);
  const { auth_time: authTime, sid } = claims;
  return {
    subject: claims.sub,
    email: readEmail(known[settings.emailClaim]),
    emailVerified: !settings.requireVerifiedEmail || isVerified(known, settings.emailClaim),
    emailClaim: settings.emailClaim,
    ...readNames(known, settings),
    authenticatedAt: typeof authTime === 'number' ? new Date(authTime * 1000) : undefined,
    // a malformed id could neither be stored nor occur in a logout token
    sessionIndex: typeof sid === 'string' && providerIdPattern.test(sid) ? sid : undefined,
    subjectQualifiers: [],
    idToken: settings.signOutThere && tokens.id_token.length <= longestIdToken ? tokens.id_token : undefined,
  };
}

/** Rejects other kinds of token of the same provider, even with a valid signature (RFC 8725, 3.11). */
function requireIdToken(token: string): void {
  const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString());
  const typ = typeof header === 'object' && header !== null && 'typ' in header ? header.typ : undefined;
  if (typ !== undefined && !(typeof typ === 'string' && /^(?:application\/)?jwt$/i.test(typ)))
    throw new ExternalFailure('the typ of the ID token is not JWT');
}

/**
 * Adds claims from userinfo, because many providers send the e-mail address only there. Claims of the signed token take
 * precedence.
 */
async function completeClaims(
  configuration: client.Configuration,
  { emailClaim, firstNameClaim }: OpenidSettings,
  { access_token: accessToken }: Tokens,
  claims: Claims & { sub: string },
): Promise<Claims> {
  const hasName = claims[firstNameClaim] !== undefined || claims['name'] !== undefined;
  const hasAll = claims[emailClaim] !== undefined && hasName;
  if (hasAll || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const userInfo: Claims = await client.fetchUserInfo(configuration, accessToken, claims.sub);
  // `email_verified` from userinfo applies only to the address in userinfo
  const isSameEmail = claims['email'] === undefined || claims['email'] === userInfo['email'];
  return { ...userInfo, ...(!isSameEmail && { email_verified: undefined }), ...claims };
}

/** Uses `name` only if the provider sends neither the first nor the last name. */
function readNames(
  claims: Claims,
  { firstNameClaim, lastNameClaim }: OpenidSettings,
): Pick<ExternalProof, 'firstName' | 'lastName'> {
  const firstName = readPersonName(claims[firstNameClaim]);
  const lastName = readPersonName(claims[lastNameClaim]);
  return firstName === undefined && lastName === undefined
    ? splitPersonName(readPersonName(claims['name']))
    : { firstName, lastName };
}

function readEmail(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const email = value.trim();
  return email.length <= longestEmail && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

/**
 * Whether the address is verified: `email_verified` applies to `email`, and to another claim only if it has the same
 * value.
 */
function isVerified(claims: Claims, emailClaim: string): boolean {
  const verified = claims['email_verified'];
  // some providers send the boolean as a string
  return (verified === true || verified === 'true') && claims['email'] === claims[emailClaim];
}
