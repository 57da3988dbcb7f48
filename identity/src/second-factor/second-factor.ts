import type { Locale } from '@anteroom/contract';
import type { Log } from '../lib/log.ts';
import type { AuthenticatorApps } from './authenticator-apps.ts';
import type { CodeCheck } from './one-time-codes.ts';
import type { RememberedDevices } from './remembered-devices.ts';

/** The user who must prove possession of a phone, and the sign-in. */
export type Challenge = {
  /** The sign-in's uid; for a new number, the id of the session. */
  uid: string;
  personId: string;
  /** The account's security version. The code is valid only for this version. */
  securityVersion: number;
  /** As stored; possibly not a valid number. */
  phoneNumber: string;
  /** The user wants to add this number, so the code confirms only the number, not a sign-in. */
  isNewNumber?: boolean | undefined;
  /** The product name in the message. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  /** The language of the message, which is that of the request. */
  language: Locale;
  log: Log;
};

export type ChallengeSubject = Pick<Challenge, 'uid' | 'personId' | 'securityVersion'>;

/** The delivery status for the page, as in the wire contract. */
export type CodeDelivery = {
  /** Whether a code was sent that the user can enter in this sign-in. */
  codeSent: boolean;
  /** Seconds until the next message can be requested. */
  nextCodeInSeconds: number;
};

/** The outcome of the first code: another request was faster, a limit applies, or the gateway failed. */
export type CodeSending = 'sent' | 'sent already' | 'not yet' | 'budget used up' | 'not delivered';

/** Messages of one hour across all nodes: in total, and to one range of numbers. */
export type CodeCounts = { all: number; range: number };

/** The second factor. All functions require that the user has entered the password. */
export type SecondFactor = {
  /**
   * Sends the first code of a sign-in, after its password. A gateway failure or a limit does not end the sign-in: the
   * user can request the code again.
   * @throws `mfa_invalid_phone_number`
   */
  begin: (challenge: Challenge) => Promise<CodeSending>;
  /**
   * Replaces the previous code and sends the new one. Returns the seconds until the next message.
   * @throws `mfa_max_attempts_exceeded`, `rate_limit_reached` and `mfa_resend_failed` (both with `Retry-After`),
   * `mfa_invalid_phone_number`
   */
  resend: (challenge: Challenge) => Promise<number>;
  check: (challenge: ChallengeSubject, code: string) => Promise<CodeCheck>;
  /** Like `check`, for a code that was sent to a new number. */
  checkNewNumber: (
    challenge: ChallengeSubject & Pick<Challenge, 'phoneNumber'>,
    code: string,
  ) => Promise<CodeCheck>;
  describeDelivery: (challenge: ChallengeSubject & Pick<Challenge, 'phoneNumber'>) => Promise<CodeDelivery>;
  devices: RememberedDevices;
  /** Messages of the last hour; `range` is the busiest one. */
  countLastHour: () => Promise<CodeCounts>;
  apps: Omit<AuthenticatorApps, 'checkCode' | 'spendRecoveryCode'>;
  /** Resets the attempts at all kinds of codes after the user has entered the password. */
  beginWithApp: (subject: ChallengeSubject) => Promise<void>;
  /**
   * Checks a code of the user's app or a recovery code, with five attempts in total per sign-in. `isOffered`: the app
   * that the user is setting up. A correct code cannot be used again. `setUp` stores an offered app with the returned
   * `step`.
   */
  checkApp: (
    subject: ChallengeSubject,
    code: string,
    isOffered: boolean,
  ) => Promise<{ check: CodeCheck; step?: number | undefined; recoveryCodesLeft?: number | undefined }>;
};
