import { appendFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';

// How much of it: a little in every run of the tests, all of it with `npm run bench chaos`, which asks for it here and reads the figures.

const isFull = process.env['CHAOS'] === 'full';

export const chaos = {
  isFull,
  /** Processes killed in the middle of their work, for each kind of database. */
  kills: isFull ? 100 : 2,
  /** How long the database is away. */
  awaySeconds: isFull ? 30 : 2,
  /** Requests offered while something is being broken. */
  requestsPerSecond: isFull ? 50 : 20,
  /** How long nodes are restarted one after the other. */
  rollingSeconds: isFull ? 300 : 4,
};

/** Longer than the longest of these, on a machine that is busy with other things. */
export const chaosTimeoutMs = isFull ? 3_600_000 : 180_000;

/** How long something stays broken: real processes have no clock that could be moved, and the length is part of what is proved. */
export const lasting = (seconds: number): Promise<void> => pass(seconds * 1000);

/** One figure for whoever measures; `budget` as in `bench/src/figure.ts`. */
export function tell(figure: {
  what: string;
  value: number;
  unit: 'calls' | 's' | 'ms';
  budget?: { atMost: number };
}): void {
  const file = process.env['CHAOS_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
