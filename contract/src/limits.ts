/** The constants of the specification's points 5 and 9 that both sides hold to. */

export const siteNameMaximumLength = 50;
export const userNameMaximumLength = 100;
export const mfaCodeLength = 6;
export const passkeyNameMaximumLength = 60;

/** How many recent sites an answer has: more than these would not be found sooner at the top of the list than by its search. */
export const recentSitesMaximumCount = 5;

/** How long a resend blocks further resends when the answer carries no `Retry-After`. */
export const resendWaitSeconds = 30;

/** NIST SP 800-63B-4, 3.1.1.2 asks for at least 64; past this a password is refused before it costs a hash. */
export const passwordMaximumLength = 256;

export const supportedLocales = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'zh', 'ja', 'ar', 'he'] as const;
export type Locale = (typeof supportedLocales)[number];

/** The version of the wire contract: of the specification that it makes precise. */
export const contractVersion = '1.21.0';

/** The version that locale files carry in their address. */
export const localeFileVersion = '1.21.0';
