import * as v from 'valibot';
import type { QualifierName } from './saml/vocabulary.ts';

const httpAddress = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\//i, 'must begin with https:// or http://'),
);

/** A SAML 2.0 identity provider. */
export const samlSettings = v.object({
  /** Its entity id: the Issuer of what it sends. */
  issuer: v.pipe(v.string(), v.nonEmpty()),
  /** Where sign-ins are sent. */
  entryPoint: httpAddress,
  /** Absent: HTTP-Redirect. */
  entryPointBinding: v.optional(v.picklist(['redirect', 'post'])),
  /** Its signing certificates, PEM or bare base64: the new one beside the old one while it changes over. */
  certificates: v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1)),
  /** Where sign-outs are sent; absent: it is not told. */
  logoutUrl: v.optional(httpAddress),
  /** The attribute with the person's e-mail address; absent: the NameID, when it is one. */
  emailAttribute: v.optional(v.string()),
  firstNameAttribute: v.optional(v.string()),
  lastNameAttribute: v.optional(v.string()),
  /** The format that is asked for (NameIDPolicy) and required; absent: the provider chooses. */
  nameIdFormat: v.optional(v.string()),
  /** The application (client id) that a tile at the provider opens; absent: the only one that has a start address. */
  startClient: v.optional(v.string()),
  /** Where the provider's metadata is read once a day. */
  metadataUrl: v.optional(httpAddress),
  /** The formats that the provider's metadata lists. */
  offeredNameIdFormats: v.optional(v.array(v.string())),
});

/**
 * How this service authenticates at the token endpoint (OpenID Connect Core, 9). `client_secret_basic_unencoded` is for providers that
 * do not percent-decode the secret, although RFC 6749, 2.3.1, tells them to.
 */
export const tokenAuthentications = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_basic_unencoded',
  'private_key_jwt',
] as const;
export type TokenAuthentication = (typeof tokenAuthentications)[number];

/** An OpenID provider, which tells the rest in its discovery document. */
export const openidSettings = v.object({
  issuer: httpAddress,
  clientId: v.pipe(v.string(), v.nonEmpty()),
  scope: v.optional(v.string(), 'openid email profile'),
  /** Absent: basic, unless the provider announces post and not basic. */
  tokenAuthentication: v.optional(v.picklist(tokenAuthentications)),
  emailClaim: v.optional(v.string(), 'email'),
  firstNameClaim: v.optional(v.string(), 'given_name'),
  lastNameClaim: v.optional(v.string(), 'family_name'),
  /** Whether an e-mail address counts only with `email_verified`. */
  requireVerifiedEmail: v.optional(v.boolean(), true),
  /** Whether whoever signs out here is sent on to be signed out there too (OpenID Connect RP-Initiated Logout 1.0). */
  signOutThere: v.optional(v.boolean(), false),
});

export type SamlSettings = v.InferOutput<typeof samlSettings>;
export type OpenidSettings = v.InferOutput<typeof openidSettings>;

type Common = {
  id: string;
  /** What operators call it; also in addresses. */
  name: string;
  displayName: string;
  provisioning: 'none' | 'just_in_time';
  /** Lower case. */
  emailDomains: string[];
};
export type SamlConnection = Common & {
  kind: 'saml';
  settings: SamlSettings;
  /** What its assertions may be encrypted for, the present one first (PEM); none: it must not encrypt. */
  decryptionKeys: readonly string[];
};
/** `clientSecret` is unsealed; absent for a public client. */
export type OpenidConnection = Common & {
  kind: 'openid';
  settings: OpenidSettings;
  clientSecret: string | undefined;
};
/** A way to sign in at another organisation's identity provider. */
export type Connection = SamlConnection | OpenidConnection;

/** Somebody as a provider vouches for them; what came of a SAML assertion or an ID token that passed every check. */
export type ExternalProof = {
  /** Unique and lasting at that provider: `sub`, or NameID. */
  subject: string;
  /** Absent when the provider told none. */
  email: string | undefined;
  /** Whether the provider vouches that the address is the person's; one that is not vouched for finds nobody. */
  emailVerified: boolean;
  /** The claim or attribute that was looked for, for whoever has to set it up. */
  emailClaim: string;
  firstName: string | undefined;
  lastName: string | undefined;
  /** When the provider says that the person signed in there. */
  authenticatedAt: Date | undefined;
  /** What the provider calls its session, for a sign-out that it starts. */
  sessionIndex: string | undefined;
  /** Which qualifiers its NameID has, for a sign-out there. */
  subjectQualifiers: QualifierName[];
  /** The ID token, where a sign-out will need it. */
  idToken: string | undefined;
};
