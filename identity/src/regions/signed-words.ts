import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import type { Clock } from '../lib/clock.ts';
import type { SigningKey } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { PeerKeys } from './peer-keys.ts';

/** What regions sign for each other: each kind has a type of its own, so that none passes for another (RFC 8725, 3.11). */
export const wordTypes = {
  /** "May this person come to this site?", from server to server. */
  request: 'anteroom-region-request+jwt',
  /** "This browser's person is …", carried by the browser in a form. */
  handOver: 'anteroom-hand-over+jwt',
  /** "These sessions have ended", from server to server. */
  notice: 'anteroom-region-notice+jwt',
} as const;
export type WordType = (typeof wordTypes)[keyof typeof wordTypes];

/** No word is good for longer. */
export const wordSeconds = 60;
/** How far two regions' clocks may be apart (attacks and faults, F07). */
export const clockToleranceSeconds = 60;

/** Why another region's word does not count; for the log and the audit alone. */
export class HandOverRefused extends Error {
  override readonly name = 'HandOverRefused';
}

export type HeardWord = { region: string; jti: string; claims: JWTPayload };

export type SignedWords = {
  sign: (type: WordType, audience: string, claims: JWTPayload) => Promise<string>;
  /** Everything but whether it was heard before. @throws HandOverRefused, or when the region's keys cannot be had. */
  hear: (type: WordType, word: string) => Promise<HeardWord>;
  /** What this region publishes: its public keys, those in overlap too. */
  publicKeys: { keys: JsonWebKey[] };
};

export function createSignedWords(dependencies: {
  own: string;
  others: readonly string[];
  signing: { keys: SigningKey[] };
  peerKeys: PeerKeys;
  clock: Clock;
  random: Random;
}): SignedWords {
  const { own, others, signing, peerKeys, clock, random } = dependencies;
  const [present] = signing.keys;
  if (present === undefined) throw new Error('A region needs a key to sign with');
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
        .setExpirationTime(nowSeconds() + wordSeconds)
        .sign(privateKey),

    async hear(type, word) {
      const { kid, region } = readUntrusted(word);
      // before anything is fetched: nobody but a listed region is ever asked
      if (!others.includes(region)) throw new HandOverRefused('the issuer is no region of ours');
      const known = await peerKeys.find(region, kid);
      if (known === undefined) throw new HandOverRefused('the region has no such key (any more)');
      const { payload } = await jwtVerify(word, known.key, {
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
      if (aud !== own) throw new HandOverRefused('the audience is not this region alone');
      if (typeof jti !== 'string' || jti === '' || jti.length > 200) throw new HandOverRefused('no jti');
      if (exp - iat > wordSeconds || exp <= iat) throw new HandOverRefused('it would be good for too long');
      if (iat > nowSeconds() + clockToleranceSeconds) throw new HandOverRefused('it is from the future');
      return { region, jti, claims: payload };
    },
  };
}

/** Which key is said to fit: nothing else of it is looked at before the signature. */
function readUntrusted(word: string): { kid: string; region: string } {
  try {
    const { kid } = decodeProtectedHeader(word);
    const { iss } = decodeJwt(word);
    if (typeof kid === 'string' && typeof iss === 'string') return { kid, region: iss };
  } catch {
    // not even a token
  }
  throw new HandOverRefused('it is no signed word, or says neither issuer nor key');
}
