import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { ExternalFailure } from '../external-provider.ts';
import type { EndedThere, HeardSignOut } from '../external-sessions.ts';
import { clockToleranceSeconds } from './id-token-claims.ts';
import { providerIdPattern } from './read-proof.ts';

/** What is asked for (OpenID Connect Back-Channel Logout 1.0, 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Such a token is a kilobyte. */
const largestToken = 16 * 1024;
/** Providers give two minutes (2.4); a token is remembered for as long as it is good, so that is not for years. */
const longestLifeSeconds = 60 * 60;
/** Providers after a draft of the standard name no end: the recommended one applies (Back-Channel Logout 1.0, 2.4). */
const lifeWithoutExpirySeconds = 2 * 60;
/** As ID tokens are signed: a secret that both sides have proves nothing to a third one. */
const signatureAlgorithms: ReadonlySet<string> = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
);

export type ExpectedOfLogout = {
  issuer: string;
  clientId: string;
  /** What the provider says it signs with. */
  algorithms: readonly string[];
  keys: JWTVerifyGetKey;
};

/**
 * Everything about a logout token but whether it was used before (2.6), named steps from top to bottom. Who it is from and for is looked
 * at first: for anything else no keys are asked for.
 * @throws ExternalFailure
 */
export async function validateLogoutToken(
  token: string,
  expected: ExpectedOfLogout,
  now: Date,
): Promise<HeardSignOut> {
  const { header, claims: said } = readUnproved(token);
  requireKind(header.typ);
  requireParties(said, expected);
  const claims = await requireSignature(token, expected, now);
  const { expiresAt } = requireTimes(claims, now);
  requireEvent(claims);
  return {
    id: requireId(claims),
    ...requireWhom(claims),
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

/** Some providers name no kind, or any JWT; no other kind of token passes for one (RFC 8725, 3.11). */
function requireKind(typ: unknown): void {
  if (typ !== undefined && !(typeof typ === 'string' && /^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)))
    refuse('kind');
}

function requireParties({ iss, aud }: JWTPayload, { issuer, clientId }: ExpectedOfLogout): void {
  if (iss !== issuer) refuse('issuer');
  // for us alone: no other party is trusted (OpenID Connect Core, 3.1.3.7, 3)
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
  // a critical header that nobody knows, what is signed without being encoded
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

/** And no nonce: what has one is an ID token (2.4). */
function requireEvent({ events, nonce }: JWTPayload): void {
  const all = typeof events === 'object' && events !== null ? new Map(Object.entries(events)) : undefined;
  const event: unknown = all?.get(logoutEvent);
  if (typeof event !== 'object' || event === null || Array.isArray(event)) refuse('event');
  if (nonce !== undefined) refuse('nonce');
}

function requireId({ jti }: JWTPayload): string {
  return typeof jti === 'string' && jti !== '' ? jti : refuse('id_missing');
}

/** One of the two, or both; neither is everybody, which nobody may say. */
function requireWhom({ sub, sid }: JWTPayload): EndedThere {
  const [subject, sessionIndex] = [sub, sid].map((value): string | undefined => {
    if (value === undefined) return undefined;
    return typeof value === 'string' && providerIdPattern.test(value) ? value : refuse('whom');
  });
  if (subject !== undefined)
    return { subject, sessionIndexes: sessionIndex === undefined ? [] : [sessionIndex] };
  return sessionIndex === undefined ? refuse('whom_missing') : { sessionIndexes: [sessionIndex] };
}
