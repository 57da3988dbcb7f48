/** The time, injected, so that tests move it instead of waiting. */
export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

/** `moment` moved by `seconds` (negative: earlier). */
export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
