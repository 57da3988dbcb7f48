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
  /** The account's security version: the code is valid for no other. */
  securityVersion: number;
  /** As stored; possibly not a valid number. */
  phoneNumber: string;
  /** The user wants to add this number: the code confirms only the number, not a sign-in. */
  isNewNumber?: boolean | undefined;
  /** The product name in the message. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  /** The language of the request, and so of the message. */
  language: Locale;
  log: Log;
};

export type ChallengeSubject = Pick<Challenge, 'uid' | 'personId' | 'securityVersion'>;

/** The delivery status for the page, as in the wire contract. */
export type CodeDelivery = {
  /** A code was sent that can be entered in this sign-in. */
  codeSent: boolean;
  /** Seconds until the next message can be requested. */
  nextCodeInSeconds: number;
};

/** The outcome of the first code: another request was faster, a limit applies, or the gateway failed. */
export type CodeSending = 'sent' | 'sent already' | 'not yet' | 'budget used up' | 'not delivered';

/** Messages in an hour across all nodes: in total, and to one range of numbers. */
export type CodeCounts = { all: number; range: number };

/** The second factor, which is available only after the password. */
export type SecondFactor = {
  /**
   * Sends the first code of a sign-in, after its password. A gateway failure or a limit does not end the sign-in: the
   * user can request the code again.
   * @throws `mfa_invalid_phone_number`
   */
  begin: (challenge: Challenge) => Promise<CodeSending>;
  /**
   * Replaces the previous code by a new one and sends it. Returns the seconds until the next message.
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
  /** Resets the attempts at codes of an app, recovery codes and sent codes, after a password. */
  beginWithApp: (subject: ChallengeSubject) => Promise<void>;
  /**
   * Checks a code of the user's app or a recovery code, with five attempts in total per sign-in. `isOffered`: the app
   * that the user is setting up. A right code is used up; `setUp` stores an offered app with its `step`.
   */
  checkApp: (
    subject: ChallengeSubject,
    code: string,
    isOffered: boolean,
  ) => Promise<{ check: CodeCheck; step?: number | undefined; recoveryCodesLeft?: number | undefined }>;
};
