import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { ExternalFailure } from '../external-provider.ts';
import type { EndedByCompany, VerifiedSignOut } from '../external-sessions.ts';
import { clockToleranceSeconds } from './id-token-claims.ts';
import { providerIdPattern } from './read-proof.ts';

/** The event claim (OpenID Connect Back-Channel Logout 1.0, 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** A typical token has a kilobyte. */
const largestToken = 16 * 1024;
/**
 * The standard recommends two minutes (2.4). The service remembers used tokens for their lifetime, so it limits the
 * lifetime.
 */
const longestLifeSeconds = 60 * 60;
/** Providers that implement a draft of the standard send no `exp`: the recommended lifetime applies (Back-Channel Logout 1.0, 2.4). */
const lifeWithoutExpirySeconds = 2 * 60;
/**
 * The same algorithms as for ID tokens. Symmetric algorithms are excluded: a signature must prove that the provider,
 * and not another holder of the key, made the token.
 */
const signatureAlgorithms: ReadonlySet<string> = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
);

export type ExpectedOfLogout = {
  issuer: string;
  clientId: string;
  /** The signing algorithms from the provider's discovery document. */
  algorithms: readonly string[];
  keys: JWTVerifyGetKey;
};

/**
 * Validates a logout token (OpenID Connect Back-Channel Logout, 2.6). The caller checks whether it was used before. Issuer
 * and audience are checked first, so that keys are fetched only for tokens that are meant for this service.
 * @throws ExternalFailure
 */
export async function validateLogoutToken(
  token: string,
  expected: ExpectedOfLogout,
  now: Date,
): Promise<VerifiedSignOut> {
  const { header, claims: said } = readUnproved(token);
  requireKind(header.typ);
  requireParties(said, expected);
  const claims = await requireSignature(token, expected, now);
  const { expiresAt } = requireTimes(claims, now);
  requireEvent(claims);
  return {
    id: requireId(claims),
    ...requireSubjectOrSession(claims),
    rememberUntil: new Date((expiresAt + clockToleranceSeconds) * 1000),
  };
}

function refuse(reason: string): never {
  throw new ExternalFailure(`logout token: ${reason}`);
}

function readUnproved(token: string): {
  header: ReturnType<typeof decodeProtectedHeader>;
  claims: JWTPayload;
} {
  if (token.length > largestToken) refuse('too_long');
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    return refuse('malformed');
  }
}

/** Some providers send no type or a generic one; the type of any other kind of token is rejected (RFC 8725, 3.11). */
function requireKind(typ: unknown): void {
  if (typ !== undefined && !(typeof typ === 'string' && /^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)))
    refuse('kind');
}

function requireParties({ iss, aud }: JWTPayload, { issuer, clientId }: ExpectedOfLogout): void {
  if (iss !== issuer) refuse('issuer');
  // This service must be the only audience, because it trusts no other (OpenID Connect Core, 3.1.3.7, 3).
  const [audience, ...others] = [aud].flat();
  if (audience !== clientId || others.length > 0) refuse('audience');
}

async function requireSignature(
  token: string,
  { algorithms, keys }: ExpectedOfLogout,
  now: Date,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: algorithms.filter((name) => signatureAlgorithms.has(name)),
      clockTolerance: clockToleranceSeconds,
      currentDate: now,
    });
    return payload;
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim}`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature_invalid';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'signature_algorithm';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'key_unknown';
  // The library throws these errors for unknown critical headers and unencoded payloads, among others.
  if (
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JOSENotSupported
  )
    return 'malformed';
  return 'keys_unreachable';
}

function requireTimes({ iat, exp }: JWTPayload, now: Date): { expiresAt: number } {
  const nowSeconds = now.getTime() / 1000;
  if (iat === undefined) return refuse('times_missing');
  if (iat > nowSeconds + clockToleranceSeconds) refuse('issued_in_the_future');
  const expiresAt = exp ?? iat + lifeWithoutExpirySeconds;
  if (expiresAt + clockToleranceSeconds <= nowSeconds) refuse('expired');
  if (expiresAt - iat > longestLifeSeconds) refuse('good_for_too_long');
  return { expiresAt };
}

/** Requires the logout event, and no `nonce`: a token with a nonce is an ID token (2.4). */
function requireEvent({ events, nonce }: JWTPayload): void {
  const all = typeof events === 'object' && events !== null ? new Map(Object.entries(events)) : undefined;
  const event: unknown = all?.get(logoutEvent);
  if (typeof event !== 'object' || event === null || Array.isArray(event)) refuse('event');
  if (nonce !== undefined) refuse('nonce');
}

function requireId({ jti }: JWTPayload): string {
  return typeof jti === 'string' && jti !== '' ? jti : refuse('id_missing');
}

/** Requires `sub`, `sid` or both; without them the token would end every session. */
function requireSubjectOrSession({ sub, sid }: JWTPayload): EndedByCompany {
  const [subject, sessionIndex] = [sub, sid].map((value): string | undefined => {
    if (value === undefined) return undefined;
    return typeof value === 'string' && providerIdPattern.test(value) ? value : refuse('whom');
  });
  if (subject !== undefined)
    return { subject, sessionIndexes: sessionIndex === undefined ? [] : [sessionIndex] };
  return sessionIndex === undefined ? refuse('whom_missing') : { sessionIndexes: [sessionIndex] };
}
