import { createPrivateKey } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { tokenTypes } from '../../src/regions/signed-tokens.ts';
import type { SigningKey } from '../../src/lib/keys.ts';
import type { TestRegion } from './two-regions.ts';

/** The key with which a region signs now. */
export function keyOf({ keys }: TestRegion): SigningKey {
  const key = keys.regionSigning?.keys[0];
  if (key === undefined) throw new Error('The region has no key');
  return key;
}

/** Signs the token's claims again, with changed claims (undefined omits a claim), another header or another key. */
export async function signAnew(
  token: string,
  key: SigningKey,
  {
    claims = {},
    typ = tokenTypes.handOver,
    kid = key.kid,
  }: { claims?: Record<string, unknown>; typ?: string; kid?: string } = {},
): Promise<string> {
  const payload: JWTPayload = { ...decodeJwt(token), jti: crypto.randomUUID(), ...claims };
  return await new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
    .setProtectedHeader({ alg: key.alg, kid, typ })
    .sign(createPrivateKey({ key, format: 'jwk' }));
}

/** Replaces parts of a token without signing it again. The signature stays unless it is given too. */
export function withParts(
  token: string,
  {
    header = {},
    claims = {},
    signature,
  }: { header?: Record<string, unknown>; claims?: Record<string, unknown>; signature?: string },
): string {
  const [head = '', body = '', signed = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  const write = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return [write({ ...read(head), ...header }), write({ ...read(body), ...claims }), signature ?? signed].join(
    '.',
  );
}
