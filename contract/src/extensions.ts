/**
 * What this project's identity service offers beyond the specification, by the names in AuthContext `extensions` and in the request header
 * `X-Anteroom-Extensions` (docs/extensions.md).
 */
export const extensions = ['totp', 'passkeys'] as const;
export type Extension = (typeof extensions)[number];
