/** The constants of the specification's point 9 that the flow keeps to. */

export const splashDelayMs = 1000;

/** How long a finished sign-in waits before it asks where to go (post-login redirect). */
export const postLoginRedirectDelayMs = 1500;
/** How long after leaving the service is asked whether the browser should be sent again. */
export const retryCheckDelayMs = 5000;
export const loggedOutRedirectDelayMs = 2000;

/**
 * The specification gives 10000 ms in one place and 0 (stays) in another: 10000 is for what the application itself adds,
 * 0 for what it names as permanent (docs/decisions: notification durations).
 */
export const notificationDefaultDurationMs = 10_000;
export const notificationMaximumDurationMs = 2 ** 31 - 1;

/** How long the card keeps its extra margin when the error notification itself stays. */
export const cardMarginDefaultDurationMs = 5000;

/** To-do calls under way at once. */
export const todoCallsAtOnce = 6;
/** So many of them are left to sites that somebody looks at: the others never fill all places. */
export const todoCallsInReserve = 2;
