/** Limits that the front end and the service share (specification, points 5 and 9). */

export const siteNameMaximumLength = 50;
export const userNameMaximumLength = 100;
export const mfaCodeLength = 6;
export const passkeyNameMaximumLength = 60;

/** With more recent sites at the top of the list, the search would be the faster way to a site. */
export const recentSitesMaximumCount = 5;

/** The service's default wait, the minimum that production accepts, and the page's wait after a resend without `Retry-After`. */
export const resendWaitSeconds = 30;

/** NIST SP 800-63B-4, 3.1.1.2 requires at least 64. Longer passwords are rejected before they are hashed. */
export const passwordMaximumLength = 256;

/** The version of the wire contract, which is that of the specification. */
export const contractVersion = '1.21.0';

/** The version in the file names of the locale files. */
export const localeFileVersion = '1.21.0';
