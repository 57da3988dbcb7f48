import type { Locale } from '@anteroom/contract';
import type { Log } from '../lib/log.ts';
import type { AuthenticatorApps } from './authenticator-apps.ts';
import type { CodeCheck } from './one-time-codes.ts';
import type { RememberedDevices } from './remembered-devices.ts';

/** Who is to prove, in which sign-in, that they hold their phone. */
export type Challenge = {
  /** The sign-in's uid. */
  uid: string;
  personId: string;
  /** The state of the person's account: a code is good for no other. */
  securityVersion: number;
  /** As it is stored; it may turn out to be none. */
  phoneNumber: string;
  /** What the message says that the code is for. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  /** Of the call: the message is written in it. */
  language: Locale;
  log: Log;
};

export type ChallengeSubject = Pick<Challenge, 'uid' | 'personId' | 'securityVersion'>;

/** What the page may say of the code: members of the wire contract. */
export type CodeDelivery = {
  /** A message has left with a code that can be entered in this sign-in. */
  codeSent: boolean;
  /** The next message may be asked for after so many seconds. */
  nextCodeInSeconds: number;
};

/** What became of the first code: another request was quicker, a limit says not yet, or the gateway failed. */
export type CodeSending = 'sent' | 'sent already' | 'not yet' | 'budget used up' | 'not delivered';

/** Messages in an hour over all nodes: to all numbers, and to one range of numbers. */
export type CodeCounts = { all: number; range: number };

/** Codes by text message. The password comes first: nothing here may be reached by somebody who has proved nothing. */
export type SecondFactor = {
  /**
   * Sends the first code of a sign-in, after its password. A gateway that fails, or a limit, does not end the sign-in: the page
   * can ask for the code again.
   * @throws `mfa_invalid_phone_number`
   */
  begin: (challenge: Challenge) => Promise<CodeSending>;
  /**
   * Sends another code in the place of the one before; answers after how many seconds there may be a next one.
   * @throws `mfa_max_attempts_exceeded`, `rate_limit_reached` and `mfa_resend_failed` (both with `Retry-After`),
   * `mfa_invalid_phone_number`
   */
  resend: (challenge: Challenge) => Promise<number>;
  check: (challenge: ChallengeSubject, code: string) => Promise<CodeCheck>;
  describeDelivery: (challenge: ChallengeSubject & Pick<Challenge, 'phoneNumber'>) => Promise<CodeDelivery>;
  devices: RememberedDevices;
  /** Messages of the last hour; `range` is the one that got most. */
  countLastHour: () => Promise<CodeCounts>;
  apps: Omit<AuthenticatorApps, 'checkCode' | 'spendRecoveryCode'>;
  /** After a password: the tries at a code of the app or at a recovery code, and at one that is sent instead, begin again. */
  beginWithApp: (subject: ChallengeSubject) => Promise<void>;
  /**
   * A code of the user's app or one of its recovery codes; five tries in a sign-in for all of them together. `isOffered`: of the app that the
   * user is setting up. What was right is used up; `setUp` stores an offered app with its `step`.
   */
  checkApp: (
    subject: ChallengeSubject,
    code: string,
    isOffered: boolean,
  ) => Promise<{ check: CodeCheck; step?: number | undefined; recoveryCodesLeft?: number | undefined }>;
  /** Forgets what has expired; answers how many rows. */
  prune: () => Promise<number>;
};
