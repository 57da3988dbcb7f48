import { passkeyCalls } from '@anteroom/contract/passkeys';
import type { PasskeyAttestation, PasskeyCallInput } from '@anteroom/contract/passkeys';
import { sendCall } from '../api/send-call.ts';
import type { CallResult, CallSurroundings } from '../api/send-call.ts';
import type { Failure } from '../flow/events.ts';

/** Why no passkey was used or created, by the text that says what to do next. */
export type PasskeyProblem = 'cancelled' | 'exists' | 'expired' | 'failed' | 'unknown' | 'unsupported';

export type Ceremony<TAnswer> = TAnswer | { problem: PasskeyProblem } | { failure: Failure };

type SignInAnswer = Extract<CallResult<typeof passkeyCalls.signInWithPasskey>, { ok: true }>;

const isSupported = (): boolean =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether the browser offers passkeys in the list of a field that it fills in. */
export const canFillIn = async (): Promise<boolean> =>
  isSupported() && (await PublicKeyCredential.isConditionalMediationAvailable());

/** Whether this device can keep a passkey and verify its user. */
export const canCreate = async (): Promise<boolean> =>
  isSupported() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());

/** What the browser says of a prompt that brought nothing; which of cancelling and running out of time it was, it does not tell. */
function problemOf(error: unknown): PasskeyProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  if (name === 'InvalidStateError') return 'exists';
  return name === 'NotSupportedError' ? 'unsupported' : 'failed';
}

function refusalOf(failure: Failure): { problem: PasskeyProblem } | { failure: Failure } {
  if (failure.code === 'invalid_credentials') return { problem: 'unknown' };
  return failure.code === 'mfa_token_expired' ? { problem: 'expired' } : { failure };
}

/**
 * Signs in with a passkey that the user chooses: of the browser's prompt, or with `isFilledIn` of the list of a field.
 * @param onChosen called while the service verifies it
 */
export async function signInWithPasskey(
  {
    body,
    surroundings,
    signal,
    isFilledIn,
  }: {
    body: Omit<PasskeyCallInput<'signInWithPasskey'>['body'], 'credential'>;
    surroundings: CallSurroundings;
    signal: AbortSignal;
    isFilledIn: boolean;
  },
  onChosen: () => void,
): Promise<Ceremony<SignInAnswer>> {
  if (!isSupported()) return { problem: 'unsupported' };
  const { returnUrl } = body;
  const begun = await sendCall(passkeyCalls.beginPasskeySignIn, { body: { returnUrl } }, surroundings);
  if (!begun.ok) return refusalOf(begun.failure);
  let credential: unknown;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.answer.options);
    const found = await navigator.credentials.get({
      publicKey,
      signal,
      ...(isFilledIn && { mediation: 'conditional' }),
    });
    credential = toJson(found);
  } catch (error) {
    return { problem: problemOf(error) };
  }
  onChosen();
  const answered = await sendCall(
    passkeyCalls.signInWithPasskey,
    { body: { ...body, credential } },
    surroundings,
  );
  return answered.ok ? answered : refusalOf(answered.failure);
}

/** Creates a passkey on this device and has the service keep it: between a sign-in and the application, or on the account page. */
export async function createPasskey({
  begin,
  keep,
}: {
  begin: () => Promise<CallResult<typeof passkeyCalls.beginPasskeyEnrolment>>;
  keep: (credential: PasskeyAttestation) => Promise<CallResult<typeof passkeyCalls.enrolPasskey>>;
}): Promise<Ceremony<{ name: string }>> {
  if (!isSupported()) return { problem: 'unsupported' };
  const begun = await begin();
  if (!begun.ok) return refusalOf(begun.failure);
  let credential: unknown;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(begun.answer.options);
    credential = toJson(await navigator.credentials.create({ publicKey }));
  } catch (error) {
    return { problem: problemOf(error) };
  }
  const kept = await keep(credential as PasskeyAttestation);
  return kept.ok ? kept.answer : refusalOf(kept.failure);
}

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException('', 'NotAllowedError');
}
