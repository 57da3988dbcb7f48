/** How long a code is valid (NIST SP 800-63B-4, 3.1.3.2: at most 10 minutes). */
export const codeValidityMinutes = 10;

/** How many times a code can be checked (attacks and faults, S35). */
export const checksPerCode = 5;

/** How long a private computer is remembered after the last code entered there. */
export const rememberDeviceDays = 30;

/** The retry interval after a gateway failure without `Retry-After`. */
export const retryAfterFailureSeconds = 10;
