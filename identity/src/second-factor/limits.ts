/** NIST SP 800-63B-4, 3.1.3.2: at most 10 minutes. */
export const codeValidityMinutes = 10;

/** How often one code may be tried (attacks and faults, S35). */
export const checksPerCode = 5;

/** How long a private computer is remembered, from the last code that was entered there. */
export const rememberDeviceDays = 30;

/** When to try again after a gateway failed and said nothing of it. */
export const retryAfterFailureSeconds = 10;
