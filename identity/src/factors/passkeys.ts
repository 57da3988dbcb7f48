import type { PasskeyAssertion, PasskeyAttestation, PasskeyCallAnswer } from '@anteroom/contract/passkeys';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { Passkey } from './passkeys-store.ts';

/** The user of an enrolment, with the account version for which it was allowed. */
export type PasskeyUser = {
  id: string;
  securityVersion: number;
  userName: string;
  /** Shown next to the user name in the browser's prompt. */
  displayName: string;
};

/**
 * The refusal of a passkey. The reason is only for the audit log. If `isStale`, the page retries with a new challenge.
 */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused';
  /** The challenge is too old, or was used before. */
  readonly isStale: boolean;
  /** The user of the passkey, if known. */
  readonly userId: string | undefined;

  constructor(
    reason: string,
    { isStale = false, userId, cause }: { isStale?: boolean; userId?: string; cause?: unknown } = {},
  ) {
    super(reason, { cause });
    this.isStale = isStale;
    this.userId = userId;
  }
}

/** The options of a ceremony as JSON for the browser's WebAuthn parser. */
export type CeremonyOptions = PasskeyCallAnswer<'beginPasskeySignIn'>['options'];
type EnrolmentOptions = PasskeyCallAnswer<'beginPasskeyEnrolment'>['options'];

/** The ceremonies of WebAuthn. `boundTo` identifies the sign-in and browser, or the session, to which a challenge is bound. */
export type Passkeys = {
  /**
   * Returns options that accept any passkey of this service: the list of allowed passkeys is empty, so that it does not
   * reveal which users have one.
   */
  beginSignIn: (boundTo: readonly string[]) => Promise<CeremonyOptions>;
  /**
   * Verifies an assertion, including user verification, and consumes its challenge.
   * @throws PasskeyRefused
   */
  verify: (
    boundTo: readonly string[],
    assertion: PasskeyAssertion,
  ) => Promise<{ userId: string; keyProtection: 'hwk' | 'swk' }>;
  beginEnrolment: (user: PasskeyUser, boundTo: readonly string[]) => Promise<EnrolmentOptions>;
  /**
   * Stores the passkey that the browser has created. The caller has checked that the user authenticated recently, and
   * queues a mail to the user in the same transaction.
   * @param fallbackName the name of a passkey whose manager is unknown
   * @throws PasskeyRefused, also if the account has changed
   */
  finishEnrolment: (
    transaction: DatabaseTransaction,
    user: PasskeyUser,
    boundTo: readonly string[],
    attestation: PasskeyAttestation,
    fallbackName: string | undefined,
  ) => Promise<Passkey>;
};
