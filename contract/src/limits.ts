/** Limits that the front end and the service share (specification, points 5 and 9). */

export const siteNameMaximumLength = 50;
export const userNameMaximumLength = 100;
export const mfaCodeLength = 6;
export const passkeyNameMaximumLength = 60;

/** With more recent sites than this, searching the list would be faster. */
export const recentSitesMaximumCount = 5;

/** The service's default wait, the minimum that production accepts, and the page's wait after a resend without `Retry-After`. */
export const resendWaitSeconds = 30;

/** NIST SP 800-63B-4, 3.1.1.2 requires at least 64. Longer passwords are rejected before they are hashed. */
export const passwordMaximumLength = 256;

/** The version of the wire contract, equal to the version of the specification. */
export const contractVersion = '1.21.0';

/** The version in the file names of the locale files. */
export const localeFileVersion = '1.21.0';
