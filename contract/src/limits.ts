/** Limits that the front end and the service share (specification, points 5 and 9). */

export const siteNameMaximumLength = 50;
export const userNameMaximumLength = 100;
export const mfaCodeLength = 6;
export const passkeyNameMaximumLength = 60;

/** A longer name does not fit beside the links of the card's header (docs/operations.md, "An application's own brand"). */
export const productNameMaximumLength = 50;

/** Correlation ids with these characters are safe in log lines, headers and error pages. */
export const correlationIdShape = /^[A-Za-z0-9._-]{1,64}$/;

/** With more recent sites than this, searching the list would be faster. */
export const recentSitesMaximumCount = 5;

/** With more accounts than this, typing the user name would be faster. */
export const rememberedAccountsMaximumCount = 3;

/** The service's default wait, the minimum that production accepts, and the page's wait after a resend without `Retry-After`. */
export const resendWaitSeconds = 30;

/** NIST SP 800-63B-4, 3.1.1.2 requires at least 64. Longer passwords are rejected before they are hashed. */
export const passwordMaximumLength = 256;

/** The version of the wire contract, equal to the version of the specification. */
export const contractVersion = '1.21.0';

/** The version in the file names of the locale files. */
export const localeFileVersion = '1.21.0';
