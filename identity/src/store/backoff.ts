import { sql } from 'kysely';

/**
 * Counts an attempt and postpones the next one. The wait doubles with each attempt, from `firstSeconds` up to
 * `longestSeconds`.
 */
export function countAttempt(
  now: Date,
  { firstSeconds, longestSeconds }: { firstSeconds: number; longestSeconds: number },
) {
  return {
    attempts: sql<number>`attempts + 1`,
    next_attempt_at: sql<Date>`${now}::timestamptz
      + least(${firstSeconds} * power(2, least(attempts, 20)), ${longestSeconds}) * interval '1 second'`,
  };
}
