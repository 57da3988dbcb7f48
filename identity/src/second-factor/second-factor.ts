import type { Locale } from '@anteroom/contract';
import type { Logger } from 'pino';
import type { CodeCheck } from './one-time-codes.ts';
import type { RememberedDevices } from './remembered-devices.ts';

/** Who is to prove, in which sign-in, that they hold their phone. */
export type Challenge = {
  /** The sign-in's uid. */
  uid: string;
  personId: string;
  /** As it is stored; it may turn out to be none. */
  phoneNumber: string;
  /** Of the call: the message is written in it. */
  language: Locale;
  log: Logger;
};

/** What became of the first code: another request was quicker, a limit says not yet, or the gateway failed. */
export type CodeSending = 'sent' | 'sent already' | 'not yet' | 'budget used up' | 'not delivered';

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
   * @throws `rate_limit_reached`, `mfa_resend_failed` (both with `Retry-After`), `mfa_invalid_phone_number`,
   * `mfa_max_attempts_exceeded`
   */
  resend: (challenge: Challenge) => Promise<number>;
  check: (challenge: Pick<Challenge, 'uid' | 'personId'>, code: string) => Promise<CodeCheck>;
  /** Whether a code was sent in the sign-in that can still be entered. */
  isAwaited: (challenge: Pick<Challenge, 'uid' | 'personId'>) => Promise<boolean>;
  devices: RememberedDevices;
  /** Forgets what has expired; answers how many rows. */
  prune: () => Promise<number>;
};
