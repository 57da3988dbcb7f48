import * as v from 'valibot';
import { authResponse } from './calls/authenticate.ts';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf } from './call.ts';
import { passkeyNameMaximumLength, siteNameMaximumLength } from './limits.ts';
import { returnUrl } from './schema.ts';

const base64url = v.pipe(v.string(), v.regex(/^[\w-]{1,8192}$/));
const site = v.pipe(v.string(), v.maxLength(siteNameMaximumLength));

/** As `PublicKeyCredential.toJSON()` writes it. Members that the service does not read are passed over: they differ between browsers. */
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

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
const requestOptions = v.looseObject({ challenge: v.string() });

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const creationOptions = v.looseObject({
  challenge: v.string(),
  rp: v.looseObject({ name: v.string() }),
  user: v.looseObject({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.looseObject({ type: v.literal('public-key'), alg: v.number() })),
});

const ofSignIn = { returnUrl: v.optional(returnUrl) };

const beginPasskeySignIn = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/sign-in-options',
  summary:
    'A challenge for any passkey that the browser has; it is good once, for five minutes, in this sign-in',
  kind: 'json',
  body: v.strictObject(ofSignIn),
  answer: v.object({ options: requestOptions }),
});

const signInWithPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/sign-in',
  summary: 'Prove who the user is with a passkey, which stands for the password and the second factor',
  kind: 'json',
  body: v.strictObject({
    ...ofSignIn,
    site: v.optional(site),
    authSite: v.optional(site),
    credential: assertion,
  }),
  answer: authResponse,
});

const beginPasskeyEnrolment = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/enrolment-options',
  summary: 'What a user who has just proved a password and a code creates a passkey with',
  kind: 'json',
  body: v.strictObject(ofSignIn),
  answer: v.object({ options: creationOptions }),
});

const enrolPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/enrolment',
  summary: 'Keep the passkey that the browser has created',
  kind: 'json',
  body: v.strictObject({ ...ofSignIn, credential: attestation }),
  answer: v.object({ name: v.pipe(v.string(), v.maxLength(passkeyNameMaximumLength)) }),
});

const declinePasskey = defineCall({
  method: 'POST',
  path: '/api/ui/passkey/not-now',
  summary: 'The user wants no passkey now, and is not asked again for 90 days',
  kind: 'empty',
  body: v.strictObject(ofSignIn),
});

/**
 * The calls of the extension `passkeys`, beside the 25 of the specification, with a way in of its own (`@anteroom/contract/passkeys`), so that
 * the first screen does not carry it.
 */
export const passkeyCalls = {
  beginPasskeySignIn,
  signInWithPasskey,
  beginPasskeyEnrolment,
  enrolPasskey,
  declinePasskey,
} as const;

export type PasskeyCallName = keyof typeof passkeyCalls;
/** What a handler receives. */
export type PasskeyCallInput<TName extends PasskeyCallName> = CallInputOf<(typeof passkeyCalls)[TName]>;
/** What a service answers. */
export type PasskeyCallAnswer<TName extends PasskeyCallName> = CallAnswerOf<(typeof passkeyCalls)[TName]>;
