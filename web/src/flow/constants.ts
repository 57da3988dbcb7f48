/** The flow's constants (specification, point 9). */

export const splashDelayMs = 1000;

/** Delay between a finished sign-in and the request for its location (post-login redirect). */
export const postLoginRedirectDelayMs = 1500;
/** Delay between a navigation and the call that asks the service whether to navigate again. */
export const retryCheckDelayMs = 5000;
export const loggedOutRedirectDelayMs = 2000;
/** How long the request for the return address can delay a sign-out. */
export const postLogoutAddressTimeoutMs = 3000;

/**
 * The specification gives both 10000 ms and 0 (permanent). Notifications last 10000 ms unless the specification calls
 * them permanent (docs/decisions: notification durations).
 */
export const notificationDefaultDurationMs = 10_000;
export const notificationMaximumDurationMs = 2 ** 31 - 1;

/** How long the card keeps its extra margin if the error notification is permanent. */
export const cardMarginDefaultDurationMs = 5000;

/** Maximum number of concurrent to-do calls. */
export const todoCallsAtOnce = 6;
/** The number of these calls that is reserved for sites in view. */
export const todoCallsInReserve = 2;
