import { appendFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';

// The extent of chaos tests: small in every test run, full with `npm run bench chaos`, which also collects the figures.

const isFull = process.env['CHAOS'] === 'full';

export const chaos = {
  isFull,
  /** The number of killed processes for each kind of database. */
  kills: isFull ? 100 : 2,
  /** How long the database is unavailable. */
  awaySeconds: isFull ? 30 : 2,
  /** The load during a failure. */
  requestsPerSecond: isFull ? 50 : 20,
  /** How long nodes are restarted one by one. */
  rollingSeconds: isFull ? 300 : 4,
};

/** Sufficient for the longest chaos test on a busy machine. */
export const chaosTimeoutMs = isFull ? 3_600_000 : 180_000;

/** Waits in real time: the clocks of real processes cannot be moved, and the duration of a failure is part of the test. */
export const waitSeconds = (seconds: number): Promise<void> => pass(seconds * 1000);

/** Reports a figure to the benchmark; `budget` as in `bench/src/figure.ts`. */
export function reportFigure(figure: {
  what: string;
  value: number;
  unit: 'calls' | 's' | 'ms';
  budget?: { atMost: number };
}): void {
  const file = process.env['CHAOS_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
