import * as v from 'valibot';
import type { QualifierName } from './saml/vocabulary.ts';

const httpAddress = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\//i, 'must begin with https:// or http://'),
);

/** A SAML 2.0 identity provider. */
export const samlSettings = v.object({
  /** The identity provider's entity id: the Issuer of its messages. */
  issuer: v.pipe(v.string(), v.nonEmpty()),
  /** The single sign-on URL. */
  entryPoint: httpAddress,
  /** Default: HTTP-Redirect. */
  entryPointBinding: v.optional(v.picklist(['redirect', 'post'])),
  /** The signing certificates, PEM or bare base64. During a key rollover both the old and the new one are listed. */
  certificates: v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1)),
  /** The single logout URL; if absent, the provider is not notified of sign-outs. */
  logoutUrl: v.optional(httpAddress),
  /** The attribute with the user's e-mail address. Default: the NameID, if it is an e-mail address. */
  emailAttribute: v.optional(v.string()),
  firstNameAttribute: v.optional(v.string()),
  lastNameAttribute: v.optional(v.string()),
  /**
   * The format of the NameID that requests ask for (NameIDPolicy) and responses must have. Default: the provider
   * chooses.
   */
  nameIdFormat: v.optional(v.string()),
  /** The client id of the application that a tile at the provider opens. Default: the only application with an `initiate_login_uri`. */
  startClient: v.optional(v.string()),
  /** The URL of the provider's metadata, which is read once a day. */
  metadataUrl: v.optional(httpAddress),
  /** The NameID formats that the provider's metadata lists. */
  offeredNameIdFormats: v.optional(v.array(v.string())),
});

/**
 * How this service authenticates at the token endpoint (OpenID Connect Core, 9). `client_secret_basic_unencoded` is
 * for providers that do not percent-decode the secret as RFC 6749, 2.3.1, requires.
 */
export const tokenAuthentications = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_basic_unencoded',
  'private_key_jwt',
] as const;
export type TokenAuthentication = (typeof tokenAuthentications)[number];

/** An OpenID provider. Its discovery document contains the other settings. */
export const openidSettings = v.object({
  issuer: httpAddress,
  clientId: v.pipe(v.string(), v.nonEmpty()),
  scope: v.optional(v.string(), 'openid email profile'),
  /** Default: `client_secret_basic`, unless the provider lists only `client_secret_post`. */
  tokenAuthentication: v.optional(v.picklist(tokenAuthentications)),
  emailClaim: v.optional(v.string(), 'email'),
  firstNameClaim: v.optional(v.string(), 'given_name'),
  lastNameClaim: v.optional(v.string(), 'family_name'),
  /** Whether an e-mail address counts only with `email_verified`. */
  requireVerifiedEmail: v.optional(v.boolean(), true),
  /** Whether a sign-out here also signs the user out at the provider (OpenID Connect RP-Initiated Logout 1.0). */
  signOutThere: v.optional(v.boolean(), false),
});

export type SamlSettings = v.InferOutput<typeof samlSettings>;
export type OpenidSettings = v.InferOutput<typeof openidSettings>;

type Common = {
  id: string;
  /** The operator's name for the connection, which is also part of URLs. */
  name: string;
  displayName: string;
  provisioning: 'none' | 'just_in_time';
  /** Domains in lower case. */
  emailDomains: string[];
};
export type SamlConnection = Common & {
  kind: 'saml';
  settings: SamlSettings;
  /** The keys that decrypt assertions (PEM), the current one first. If empty, encrypted assertions are rejected. */
  decryptionKeys: readonly string[];
};
/** `clientSecret` is decrypted; absent for a public client. */
export type OpenidConnection = Common & {
  kind: 'openid';
  settings: OpenidSettings;
  clientSecret: string | undefined;
};
/** A connection to another organisation's identity provider. */
export type Connection = SamlConnection | OpenidConnection;

/** The user as asserted by a provider, from a SAML assertion or an ID token that has passed every check. */
export type ExternalProof = {
  /** Unique and permanent at that provider: `sub`, or NameID. */
  subject: string;
  /** Absent if the provider sent none. */
  email: string | undefined;
  /**
   * Whether the address can identify an account: a SAML assertion contains it, the OpenID provider verified it, or the
   * connection does not require verification.
   */
  emailVerified: boolean;
  /** The claim or attribute that the e-mail address comes from, for the operator who configures the connection. */
  emailClaim: string;
  firstName: string | undefined;
  lastName: string | undefined;
  /** When the user authenticated, according to the provider. */
  authenticatedAt: Date | undefined;
  /** The provider's session id, for a sign-out that the provider starts. */
  sessionIndex: string | undefined;
  /** The qualifiers of the NameID, for a sign-out at the provider. */
  subjectQualifiers: QualifierName[];
  /** The ID token, if the sign-out at the provider will need it. */
  idToken: string | undefined;
};
