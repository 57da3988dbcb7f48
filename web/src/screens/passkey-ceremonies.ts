import { passkeyCalls } from '@anteroom/contract/passkeys';
import type { PasskeyAttestation, PasskeyCallInput } from '@anteroom/contract/passkeys';
import { sendCall } from '../api/send-call.ts';
import type { CallResult, CallEnvironment } from '../api/send-call.ts';
import type { Failure } from '../flow/events.ts';
import { supportsPasskeys } from './passkey-support.ts';

/** Why no passkey was used or created. Each has a text that says what to do next. */
export type PasskeyProblem = 'cancelled' | 'exists' | 'expired' | 'failed' | 'unknown' | 'unsupported';

export type Ceremony<TAnswer> = TAnswer | { problem: PasskeyProblem } | { failure: Failure };

type SignInAnswer = Extract<CallResult<typeof passkeyCalls.signInWithPasskey>, { ok: true }> & {
  /** The passkey is on this device, not on a phone or a security key. */
  isOfThisDevice: boolean;
};

/** Whether the browser supports passkeys in autofill (conditional mediation). */
export const canFillIn = async (): Promise<boolean> =>
  supportsPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());

/** Classifies the error of a browser prompt. The browser does not distinguish cancelling from a timeout. */
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
 * Signs in with a passkey from the browser's prompt or, with `isFilledIn`, from autofill.
 * @param onChosen called while the service verifies the passkey
 */
export async function signInWithPasskey(
  {
    body,
    environment,
    signal,
    isFilledIn,
  }: {
    body: Omit<PasskeyCallInput<'signInWithPasskey'>['body'], 'credential'>;
    environment: CallEnvironment;
    signal: AbortSignal;
    isFilledIn: boolean;
  },
  onChosen: () => void,
): Promise<Ceremony<SignInAnswer>> {
  if (!supportsPasskeys()) return { problem: 'unsupported' };
  const { returnUrl } = body;
  const optionsResult = await sendCall(passkeyCalls.beginPasskeySignIn, { body: { returnUrl } }, environment);
  if (!optionsResult.ok) return refusalOf(optionsResult.failure);
  let credential: Passkey;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(optionsResult.answer.options);
    const found = await navigator.credentials.get({
      publicKey,
      signal,
      ...(isFilledIn && { mediation: 'conditional' }),
    });
    credential = toJson(found);
  } catch (error) {
    return { problem: problemOf(error) };
  }
  // The choice came too late: another prompt has replaced this one.
  if (signal.aborted) return { problem: 'cancelled' };
  onChosen();
  const answered = await sendCall(
    passkeyCalls.signInWithPasskey,
    { body: { ...body, credential } },
    environment,
  );
  const isOfThisDevice = credential.authenticatorAttachment === 'platform';
  return answered.ok ? { ...answered, isOfThisDevice } : refusalOf(answered.failure);
}

/** Creates a passkey on this device and registers it with the service, after a sign-in or on the account page. */
export async function createPasskey({
  begin,
  keep,
}: {
  begin: () => Promise<CallResult<typeof passkeyCalls.beginPasskeyEnrolment>>;
  keep: (credential: PasskeyAttestation) => Promise<CallResult<typeof passkeyCalls.enrolPasskey>>;
}): Promise<Ceremony<{ name: string }>> {
  if (!supportsPasskeys()) return { problem: 'unsupported' };
  const optionsResult = await begin();
  if (!optionsResult.ok) return refusalOf(optionsResult.failure);
  let credential: unknown;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(optionsResult.answer.options);
    credential = toJson(await navigator.credentials.create({ publicKey }));
  } catch (error) {
    return { problem: problemOf(error) };
  }
  const stored = await keep(credential as PasskeyAttestation);
  return stored.ok ? stored.answer : refusalOf(stored.failure);
}

type Passkey = ReturnType<PublicKeyCredential['toJSON']>;

function toJson(credential: Credential | null): Passkey {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException('', 'NotAllowedError');
}
