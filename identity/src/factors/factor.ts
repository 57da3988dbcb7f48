import type { Extension, Locale } from '@anteroom/contract';
import type { SecondFactorName } from '@anteroom/contract/factors';
import { sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { AuthenticatorApps } from './authenticator-apps.ts';
import type { CodeCheck, CodeSubject, FactorSubject, OneTimeCodes } from './one-time-codes.ts';

export type FactorName = SecondFactorName | 'recovery-code';

export const factorProofs = ['sms-code', 'authenticator-code', 'passkey', 'email-code'] as const;
export const factorMethods = ['sms', 'otp', 'user', 'email'] as const;

/** What decides which second factors a user has. */
export type FactorOwner = {
  /** In E.164 format; undefined if the user has not set up SMS codes. */
  phoneNumber: string | undefined;
  hasApp: boolean;
  hasPasskey: boolean;
  /** The sign-in e-mail, if the user has shown to receive mail there. */
  verifiedEmail: string | undefined;
};

/** Whether the user of a row of `users` has a passkey. */
export const hasPasskey = sql<boolean>`exists (select from passkeys where passkeys.user_id = users.id)`.as(
  'has_passkey',
);

type OwnerRow = {
  phone_number: string | null;
  has_passkey: boolean;
  email: string | null;
  verified_email: string | null;
};

/** Reads which second factors a user has. */
export function toFactorOwner(row: OwnerRow, hasApp: boolean): FactorOwner {
  return {
    phoneNumber: row.phone_number ?? undefined,
    hasApp,
    hasPasskey: row.has_passkey,
    verifiedEmail: row.email !== null && row.email === row.verified_email ? row.email : undefined,
  };
}

/** What a site says about second factors. */
export type FactorPolicy = {
  asksForSecondFactor: boolean;
  secondFactors: readonly SecondFactorName[];
  /** Whether a user without a second factor can set up an authenticator app during the sign-in. */
  allowsAuthenticatorApps: boolean;
};

/** The data for a message with a code. */
export type Challenge = FactorSubject & {
  owner: FactorOwner;
  /** The user wants to add this number, so the code confirms only the number, not a sign-in. */
  newNumber?: string | undefined;
  /** The product name in the message. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  /** The language of the message, which is that of the request. */
  language: Locale;
  log: Log;
};

/** The text of a message with a code. */
export type CodeMessage = Pick<Challenge, 'productName' | 'siteDisplayName' | 'language'> & {
  to: string;
  code: string;
  minutes: number;
  isNewNumber: boolean;
};

/** Sends a code. The recipient's address is not shown to other users, so it has its own counters. */
export type MessageWay = {
  /** The kind of address, which is part of the hash under which messages are counted. */
  counts: 'phone number' | 'e-mail address';
  addressOf: (owner: FactorOwner) => string | undefined;
  /** @throws `mfa_invalid_phone_number` if no message can be sent to the address */
  requireReachable: (parts: FactorParts, challenge: Challenge, address: string) => void;
  /** The part of the address for which the hourly budget counts. Undefined: messages cost nothing. */
  rangeOf: ((address: string) => string) | undefined;
  deliver: (parts: FactorParts, message: CodeMessage) => Promise<void>;
};

/** The result of comparing a code. `recoveryCodesLeft`: after a recovery code. */
export type CheckedCode = { check: CodeCheck; recoveryCodesLeft?: number | undefined };

/** The stores and gateways that factors use. */
export type FactorParts = {
  codes: OneTimeCodes;
  apps: AuthenticatorApps;
  /** Only numbers with these prefixes get messages; empty: all numbers. */
  numberPrefixes: readonly string[];
  /** Sends to the gateways. @throws DeliveryError after at most 3 s */
  sendSms: (message: CodeMessage) => Promise<void>;
  sendMail: (message: CodeMessage) => Promise<void>;
};

/** Everything that the service knows about one second factor. */
export type Factor = {
  /** Also the name in the audit log. */
  name: FactorName;
  /** The name in the list of factors that a site accepts. */
  countsAs: SecondFactorName;
  /** The proof that a sign-in records, and the method (`amr`, RFC 8176) under which a session keeps it. */
  proof: (typeof factorProofs)[number];
  method: (typeof factorMethods)[number];
  /** The further values of `amr` in tokens. */
  alsoAmr: readonly 'mfa'[];
  /**
   * How it reaches the `acr` of several factors: after a password or a company's sign-in, alone, or not at all because
   * it is too weak.
   */
  strength: 'with another' | 'alone' | 'weak';
  /** The extension that a page must know to ask for it; undefined if every page can. */
  extension: Extension | undefined;
  /** Whether the user has it. */
  isOf: (owner: FactorOwner) => boolean;
  /** The user after its removal. */
  without: (owner: FactorOwner) => FactorOwner;
  /** Whether the site accepts it. Without a site or a requirement, what the user has set up is asked for. */
  countsAt: (policy: FactorPolicy | undefined) => boolean;
  /** Whether sites accept it that do not list the factors which they accept. */
  isAcceptedByDefault: boolean;
  /** Masked, for its user: where a message goes. */
  hint: (owner: FactorOwner) => string | undefined;
  /** `mfaPhoneNumberSuffix` of the wire contract, by which pages without the extension `factors` know the factor. */
  contractSuffix?: (owner: FactorOwner) => string | undefined;
  /** The message with its codes. Undefined if no message is sent. */
  message?: MessageWay;
  /** The purpose of its one-time codes or counted attempts; undefined if no code is entered. */
  purpose: CodeSubject['purpose'] | undefined;
  /** Compares an entered code that no message has sent. A correct code cannot be used again. */
  check?: (parts: FactorParts, subject: FactorSubject, code: string) => Promise<CheckedCode>;
  /** Whether the entered text can be its code, apart from six digits, which need a named factor. */
  hasLongCodes?: boolean;
  /**
   * Whether a password alone may add it for a user of this site who has no factor yet; undefined if users do not add it
   * themselves.
   */
  mayBeAddedByPassword?: ((policy: FactorPolicy) => boolean) | undefined;
  /** Whether a user without a factor adds it while signing in at this site. */
  mayBeAddedDuringSignIn?: ((policy: FactorPolicy) => boolean) | undefined;
};
