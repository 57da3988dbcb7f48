/**
 * The extensions of the specification that this project's identity service offers, as named in `extensions` of AuthContext and in the
 * request header `X-Anteroom-Extensions` (docs/extensions.md).
 */
export const extensions = ['totp', 'passkeys', 'passkey-offer', 'factors'] as const;
export type Extension = (typeof extensions)[number];
