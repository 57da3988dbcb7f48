import { addSeconds } from './clock.ts';

// The lifetimes of a pending sign-in and of an anonymous session. They are equal, so that neither cuts the other off
// (docs/decisions/034-rows-of-anonymous-visitors.md).

/** Until the page's first call. A request that no visitor follows up is stored no longer. */
export const untouchedSeconds = 15 * 60;

/** After each call of the page (WCAG 2.2.1, docs/decisions/028-time-limits-are-shown-and-can-be-extended.md). */
const activeSeconds = 30 * 60;

/** How long a finished sign-in is kept, so that Back, a reload or a bookmark of its page leads to the application. */
export const followedSeconds = 12 * 60 * 60;

/** The minimum extension, so that an active visitor causes one write a minute. */
const leastGainMs = 60_000;

export const activeUntil = (now: Date): Date => addSeconds(now, activeSeconds);

/** An end up to this time is worth an update after a call of the page. */
export const worthExtendingBefore = (now: Date): Date => new Date(activeUntil(now).getTime() - leastGainMs);

/** The extended end after a call of the page; undefined if the extension is too small. */
export function findLaterEnd(end: Date, now: Date): Date | undefined {
  const later = activeUntil(now);
  return later.getTime() - end.getTime() >= leastGainMs ? later : undefined;
}
