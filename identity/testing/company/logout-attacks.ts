import { createKey, signHmac, signWith } from './hostile-provider.ts';
import type { HostileProvider } from './hostile-provider.ts';

/** An invalid logout token, and the expected reason in the audit log. */
export type LogoutTokenAttack = { name: string; reason: string; forge: (peer: HostileProvider) => string };

const strange = createKey();
const event = 'http://schemas.openid.net/event/backchannel-logout';
const now = (): number => Math.floor(Date.now() / 1000);
const asStranger = (text: string): string => signWith(strange.privateKey, text);

type Recipe = NonNullable<Parameters<HostileProvider['createLogoutToken']>[0]>;
const attack = (
  name: string,
  reason: string,
  recipe: (peer: HostileProvider) => Recipe,
): LogoutTokenAttack => ({
  name,
  reason,
  forge: (peer) => peer.createLogoutToken(recipe(peer)),
});
const claims = (name: string, reason: string, changed: () => Record<string, unknown>): LogoutTokenAttack =>
  attack(name, reason, () => ({ claims: changed() }));

/** Attacks of which none must end a session (OpenID Connect Back-Channel Logout 1.0, 2.6; RFC 8725). */
export const logoutTokenAttacks: readonly LogoutTokenAttack[] = [
  attack('alg none', 'signature_algorithm', () => ({ header: { alg: 'none' }, sign: () => '' })),
  attack('alg none with the signature left on', 'signature_algorithm', () => ({ header: { alg: 'none' } })),
  attack('HS256 with the public key', 'signature_algorithm', (peer) => ({
    header: { alg: 'HS256' },
    sign: (text) => signHmac(peer.publicKeyPem(), text),
  })),
  attack('HS256 with the client id', 'signature_algorithm', (peer) => ({
    header: { alg: 'HS256' },
    sign: (text) => signHmac(peer.clientId, text),
  })),
  attack('an unannounced algorithm', 'signature_algorithm', () => ({ header: { alg: 'PS256' } })),
  attack('a foreign key with the kid of the published one', 'signature_invalid', () => ({
    sign: asStranger,
  })),
  attack('an unpublished key', 'key_unknown', () => ({
    header: { kid: strange.kid },
    sign: asStranger,
  })),
  attack('a key in its own header', 'signature_invalid', () => ({
    header: { kid: undefined, jwk: strange.publicKey.export({ format: 'jwk' }) },
    sign: asStranger,
  })),
  attack('an address of keys in its own header', 'key_unknown', ({ issuer }) => ({
    header: { kid: 'x', jku: `${issuer}/other-keys`, x5u: `${issuer}/other-certificate` },
    sign: asStranger,
  })),
  attack('no signature', 'signature_invalid', () => ({ sign: () => '' })),
  attack('an unknown critical header', 'malformed', () => ({ header: { crit: ['exp'] } })),
  attack('an unencoded payload', 'malformed', () => ({ header: { b64: false, crit: ['b64'] } })),
  attack('an access token', 'kind', () => ({ header: { typ: 'at+jwt' } })),
  attack('a type that is not a string', 'kind', () => ({ header: { typ: 7 } })),
  {
    name: 'edited claims',
    reason: 'signature_invalid',
    forge: (peer) => {
      const [header, , signature] = peer.createLogoutToken({ claims: { sub: 'another' } }).split('.');
      const [, payload] = peer.createLogoutToken().split('.');
      return [header, payload, signature].join('.');
    },
  },
  { name: 'the ID token of a sign-in', reason: 'event', forge: ({ idToken }) => idToken },
  claims('another issuer', 'issuer', () => ({ iss: 'https://elsewhere.example' })),
  claims('no issuer', 'issuer', () => ({ iss: undefined })),
  claims('another audience', 'audience', () => ({ aud: 'another-client' })),
  claims('no audience', 'audience', () => ({ aud: undefined })),
  claims('several audiences', 'audience', () => ({ aud: ['anteroom', 'another-client'] })),
  claims('expired', 'expired', () => ({ iat: now() - 620, exp: now() - 500 })),
  claims('no expiry, ten minutes after its issue', 'expired', () => ({ iat: now() - 600, exp: undefined })),
  claims('no time of issue', 'times_missing', () => ({ iat: undefined })),
  claims('a time of issue that is not a number', 'claim iat', () => ({ iat: 'now' })),
  claims('issued in the future', 'issued_in_the_future', () => ({ iat: now() + 300, exp: now() + 400 })),
  claims('not valid yet', 'claim nbf', () => ({ nbf: now() + 300 })),
  claims('valid for a year', 'good_for_too_long', () => ({ exp: now() + 365 * 24 * 3600 })),
  claims('no event', 'event', () => ({ events: undefined })),
  claims('another event', 'event', () => ({ events: { 'https://elsewhere.example/event': {} } })),
  claims('an event that is a string', 'event', () => ({ events: event })),
  claims('an event that is a boolean', 'event', () => ({ events: { [event]: true } })),
  claims('an event that is a list', 'event', () => ({ events: { [event]: [] } })),
  claims('an event in the prototype', 'event', () => ({
    events: JSON.parse(`{"__proto__":{"${event}":{}}}`) as unknown,
  })),
  claims('a nonce', 'nonce', () => ({ nonce: 'of a sign-in' })),
  claims('no id', 'id_missing', () => ({ jti: undefined })),
  claims('an empty id', 'id_missing', () => ({ jti: '' })),
  claims('neither subject nor session', 'whom_missing', () => ({ sub: undefined })),
  claims('a subject that is a number', 'whom', () => ({ sub: 1001 })),
  claims('a subject with a NUL character', 'whom', () => ({ sub: 'someone\0' })),
  claims('a session that is a list', 'whom', () => ({ sid: ['session-1'] })),
  claims('an empty session', 'whom', () => ({ sid: '' })),
  { name: 'no token', reason: 'malformed', forge: () => 'token' },
  { name: 'an encrypted token', reason: 'malformed', forge: (peer) => `${peer.createLogoutToken()}.a.b` },
  {
    name: 'a very long token',
    reason: 'too_long',
    forge: (peer) => peer.createLogoutToken({ claims: { more: 'x'.repeat(16_384) } }),
  },
];
