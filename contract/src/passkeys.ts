import * as v from 'valibot';
import { authResponse } from './calls/authenticate.ts';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf } from './call.ts';
import { passkeyNameMaximumLength, siteNameMaximumLength } from './limits.ts';
import { returnUrl } from './schema.ts';

const base64url = v.pipe(v.string(), v.regex(/^[\w-]{1,8192}$/));
const site = v.pipe(v.string(), v.maxLength(siteNameMaximumLength));

/**
 * The result of `PublicKeyCredential.toJSON()`. Members that the service does not need are ignored, because they differ
 * between browsers.
 */
function credentialWith<const TResponse extends v.ObjectEntries>(response: TResponse) {
  return v.object({
    id: base64url,
    rawId: base64url,
    type: v.literal('public-key'),
    response: v.object(response),
    authenticatorAttachment: v.nullish(v.string()),
  });
}

const assertion = credentialWith({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: v.nullish(base64url),
});
export type PasskeyAssertion = v.InferOutput<typeof assertion>;

export const attestation = credentialWith({
  clientDataJSON: base64url,
  attestationObject: base64url,
  transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(30))), v.maxLength(10))),
});
export type PasskeyAttestation = v.InferOutput<typeof attestation>;

/** The options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
const requestOptions = v.looseObject({ challenge: v.string() });

/** The options for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const creationOptions = v.looseObject({
  challenge: v.string(),
  rp: v.looseObject({ name: v.string() }),
  user: v.looseObject({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.looseObject({ type: v.literal('public-key'), alg: v.number() })),
});

const signInReference = { returnUrl: v.optional(returnUrl) };

const beginPasskeySignIn = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/sign-in-options',
  summary: 'A challenge for any passkey of the browser, valid once, for five minutes, in this sign-in',
  kind: 'json',
  body: v.strictObject(signInReference),
  answer: v.object({ options: requestOptions }),
});

const signInWithPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/sign-in',
  summary: 'Sign in with a passkey, which replaces the password and the second factor',
  kind: 'json',
  body: v.strictObject({
    ...signInReference,
    site: v.optional(site),
    authSite: v.optional(site),
    credential: assertion,
  }),
  answer: authResponse,
});

const beginPasskeyEnrolment = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/enrolment-options',
  summary: 'The options to create a passkey, for a user who has just verified a password and a code',
  kind: 'json',
  body: v.strictObject(signInReference),
  answer: v.object({ options: creationOptions }),
});

const enrolPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/enrolment',
  summary: 'Store the passkey that the browser has created',
  kind: 'json',
  body: v.strictObject({ ...signInReference, credential: attestation }),
  answer: v.object({ name: v.pipe(v.string(), v.maxLength(passkeyNameMaximumLength)) }),
});

const declinePasskey = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/not-now',
  summary: 'Decline a passkey; the service does not offer it again for 90 days',
  kind: 'empty',
  body: v.strictObject(signInReference),
});

/**
 * The calls of the extension `passkeys`, in addition to the 25 calls of the specification. They have their own entry point
 * (`@anteroom/contract/passkeys`), so that the first screen does not load them.
 */
export const passkeyCalls = {
  beginPasskeySignIn,
  signInWithPasskey,
  beginPasskeyEnrolment,
  enrolPasskey,
  declinePasskey,
} as const;

export type PasskeyCallName = keyof typeof passkeyCalls;
export type PasskeyCallInput<TName extends PasskeyCallName> = CallInputOf<(typeof passkeyCalls)[TName]>;
export type PasskeyCallAnswer<TName extends PasskeyCallName> = CallAnswerOf<(typeof passkeyCalls)[TName]>;
