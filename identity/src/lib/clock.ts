/** The injected time, so that tests can move it instead of waiting. */
export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

const momentPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Parses a date or time in ISO 8601, in UTC unless it has a zone; undefined for anything else. */
export function parseIsoMoment(text: string): Date | undefined {
  if (!momentPattern.test(text)) return undefined;
  const hasZone = text.length === 10 || /(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const moment = new Date(hasZone ? text : `${text}Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
