import { addSeconds } from './clock.ts';

// The lifetimes of a pending sign-in and of an anonymous session. They are equal, so that the sign-in and the session
// end together (docs/decisions/034-rows-of-anonymous-visitors.md).

/** The lifetime until the page's first call, because a sign-in that no visitor continues should be deleted soon. */
export const untouchedSeconds = 15 * 60;

/**
 * The lifetime after each call of the page (WCAG 2.2.1,
 * docs/decisions/028-time-limits-are-shown-and-can-be-extended.md).
 */
const activeSeconds = 30 * 60;

/** How long a finished sign-in is kept, so that Back, a reload or a bookmark of its page leads to the application. */
export const followedSeconds = 12 * 60 * 60;

/** The minimum extension, so that an active visitor causes one write a minute. */
const leastGainMs = 60_000;

export const activeUntil = (now: Date): Date => addSeconds(now, activeSeconds);

/** The latest end that is worth an update after a call of the page. */
export const worthExtendingBefore = (now: Date): Date => new Date(activeUntil(now).getTime() - leastGainMs);
