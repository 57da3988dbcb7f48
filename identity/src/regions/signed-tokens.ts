import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import type { Clock } from '../lib/clock.ts';
import type { SigningKey } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { PeerKeys } from './peer-keys.ts';

/**
 * The types of the tokens that regions sign for each other. A token of one type is not accepted as another (RFC 8725,
 * 3.11).
 */
export const tokenTypes = {
  /** Announces a user for a site, from server to server. */
  request: 'anteroom-region-request+jwt',
  /** Identifies the user of this browser; the browser carries it in a form. */
  handOver: 'anteroom-hand-over+jwt',
  /** Reports ended sessions, from server to server. */
  notice: 'anteroom-region-notice+jwt',
} as const;
export type TokenType = (typeof tokenTypes)[keyof typeof tokenTypes];

/** The maximum lifetime of a token. */
export const tokenSeconds = 60;
/** The tolerated clock difference between regions (attacks and faults, F07). */
export const clockToleranceSeconds = 60;

/** A rejected hand-over. The reason is only for the log and the audit log. */
export class HandOverRefused extends Error {
  override readonly name = 'HandOverRefused';
}

export type VerifiedToken = { region: string; jti: string; claims: JWTPayload };

export type RegionTokens = {
  sign: (type: TokenType, audience: string, claims: JWTPayload) => Promise<string>;
  /**
   * Verifies everything except reuse.
   * @throws HandOverRefused, or if the region's keys are unavailable
   */
  verify: (type: TokenType, token: string) => Promise<VerifiedToken>;
  /** The public keys that this region publishes, including those in the rotation overlap. */
  publicKeys: { keys: JsonWebKey[] };
};

export function createRegionTokens(dependencies: {
  own: string;
  others: readonly string[];
  signing: { keys: SigningKey[] };
  peerKeys: PeerKeys;
  clock: Clock;
  random: Random;
}): RegionTokens {
  const { own, others, signing, peerKeys, clock, random } = dependencies;
  const [present] = signing.keys;
  if (present === undefined) throw new Error('The region signing key is missing');
  const privateKey = createPrivateKey({ key: present, format: 'jwk' });
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1000);

  return {
    publicKeys: {
      keys: signing.keys.map((key) => ({
        ...createPublicKey({ key, format: 'jwk' }).export({ format: 'jwk' }),
        kid: key.kid,
        alg: key.alg,
        use: 'sig',
      })),
    },

    sign: (type, audience, claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: present.alg, kid: present.kid, typ: type })
        .setIssuer(own)
        .setAudience(audience)
        .setJti(random.token(16))
        .setIssuedAt(nowSeconds())
        .setExpirationTime(nowSeconds() + tokenSeconds)
        .sign(privateKey),

    async verify(type, token) {
      const { kid, region } = readUntrusted(token);
      // This check comes first, because keys must be fetched only from listed regions.
      if (!others.includes(region)) throw new HandOverRefused('the issuer is not a listed region');
      const known = await peerKeys.find(region, kid);
      if (known === undefined) throw new HandOverRefused('the region does not publish this key');
      const { payload } = await jwtVerify(token, known.key, {
        algorithms: [known.alg],
        typ: type,
        issuer: region,
        audience: own,
        requiredClaims: ['jti', 'iat', 'exp'],
        currentDate: clock.now(),
        clockTolerance: clockToleranceSeconds,
      }).catch((error: unknown) => {
        throw new HandOverRefused(error instanceof Error ? error.message : String(error), { cause: error });
      });
      const { jti, iat = 0, exp = 0, aud } = payload;
      if (aud !== own) throw new HandOverRefused('the audience is not exactly this region');
      if (typeof jti !== 'string' || jti === '' || jti.length > 200) throw new HandOverRefused('no jti');
      if (exp - iat > tokenSeconds || exp <= iat) throw new HandOverRefused('the lifetime is too long');
      if (iat > nowSeconds() + clockToleranceSeconds)
        throw new HandOverRefused('it was issued in the future');
      return { region, jti, claims: payload };
    },
  };
}

/** Reads the claimed key id and issuer; no other unverified content is used. */
function readUntrusted(token: string): { kid: string; region: string } {
  try {
    const { kid } = decodeProtectedHeader(token);
    const { iss } = decodeJwt(token);
    if (typeof kid === 'string' && typeof iss === 'string') return { kid, region: iss };
  } catch {
    // The token is not a JWT.
  }
  throw new HandOverRefused('it is not a signed token, or lacks the issuer or key id');
}
