/** The flow's constants (specification, point 9). */

export const splashDelayMs = 1000;

/** Delay between a finished sign-in and the request for its location (post-login redirect). */
export const postLoginRedirectDelayMs = 1500;
/** Delay between a navigation and the request whether to navigate again. */
export const retryCheckDelayMs = 5000;
export const loggedOutRedirectDelayMs = 2000;

/**
 * The specification gives 10000 ms in one place and 0 (permanent) in another: 10000 for notifications of the
 * application itself, 0 for those that the specification calls permanent (docs/decisions: notification durations).
 */
export const notificationDefaultDurationMs = 10_000;
export const notificationMaximumDurationMs = 2 ** 31 - 1;

/** How long the card has its extra margin if the error notification is permanent. */
export const cardMarginDefaultDurationMs = 5000;

/** Maximum number of concurrent to-do calls. */
export const todoCallsAtOnce = 6;
/** Of these, the number reserved for sites in view. */
export const todoCallsInReserve = 2;
