import type { PasskeyAssertion, PasskeyAttestation, PasskeyCallAnswer } from '@anteroom/contract/passkeys';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Passkey } from './passkeys-store.ts';

/** A user, in the state of the account that the enrolment was allowed for. */
export type PasskeyUser = {
  id: string;
  securityVersion: number;
  userName: string;
  /** As the browser's prompt shows the user beside the user name. */
  displayName: string;
};

/** Why a passkey does not count; for the audit log alone, but `expired`, which the page can mend by another challenge. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused';
  /** The challenge is too old, or was used before. */
  readonly isStale: boolean;
  /** Whose passkey it is, where that is known. */
  readonly personId: string | undefined;

  constructor(
    reason: string,
    { isStale = false, personId, cause }: { isStale?: boolean; personId?: string; cause?: unknown } = {},
  ) {
    super(reason, { cause });
    this.isStale = isStale;
    this.personId = personId;
  }
}

/** The options of a ceremony as JSON, for the browser's own parser. */
export type CeremonyOptions = PasskeyCallAnswer<'beginPasskeySignIn'>['options'];
type EnrolmentOptions = PasskeyCallAnswer<'beginPasskeyEnrolment'>['options'];

/**
 * The ceremonies of WebAuthn. `boundTo` names the sign-in and the browser, or the session, that a challenge is good in: what was asked for
 * in one place is worth nothing in another.
 */
export type Passkeys = {
  /** For any passkey of this service: the list of allowed ones is empty, so that no caller learns who has one. */
  beginSignIn: (boundTo: readonly string[]) => Promise<CeremonyOptions>;
  /**
   * Verifies an answer with the user verified by the authenticator, and uses its challenge up.
   * @throws PasskeyRefused
   */
  verify: (
    boundTo: readonly string[],
    assertion: PasskeyAssertion,
  ) => Promise<{ personId: string; keyProtection: 'hwk' | 'swk' }>;
  beginEnrolment: (user: PasskeyUser, boundTo: readonly string[]) => Promise<EnrolmentOptions>;
  /**
   * Stores the passkey that the browser has created. The caller has checked that the user has proved enough lately, and tells the user by
   * mail in the same transaction.
   * @param fallbackName of a passkey whose manager is not known
   * @throws PasskeyRefused, also when the account has changed since
   */
  finishEnrolment: (
    database: Database | DatabaseTransaction,
    user: PasskeyUser,
    boundTo: readonly string[],
    attestation: PasskeyAttestation,
    fallbackName: string | undefined,
  ) => Promise<Passkey>;
};
