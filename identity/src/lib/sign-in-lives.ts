import { addSeconds } from './clock.ts';

// How long a sign-in lives, and the session of a browser in which nobody is signed in yet. The two agree, so that neither cuts off the
// other (docs/decisions/034-what-anonymous-visitors-leave.md).

/** Until the visitor's page makes its first call. A request that no visitor follows costs no more than this. */
export const untouchedSeconds = 15 * 60;

/** After each call of the page (WCAG 2.2.1, docs/decisions/028-time-is-told-and-given-again.md). */
const activeSeconds = 30 * 60;

/** How long a finished sign-in is kept, so that Back, a reload or a bookmark of its page leads on to the application. */
export const followedSeconds = 12 * 60 * 60;

/** An end is moved only when it gains this much: one statement a minute while a visitor is busy. */
const leastGainMs = 60_000;

export const activeUntil = (now: Date): Date => addSeconds(now, activeSeconds);

/** The later end after a call of the visitor's page; undefined while it would gain too little. */
export function findLaterEnd(end: Date, now: Date): Date | undefined {
  const later = activeUntil(now);
  return later.getTime() - end.getTime() >= leastGainMs ? later : undefined;
}
