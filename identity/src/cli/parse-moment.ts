import { addSeconds } from '../lib/clock.ts';
import { UsageError } from './usage-errors.ts';

const secondsOf = { m: 60, h: 3600, d: 24 * 3600 } as const;

/**
 * Parses a day, a time (UTC unless it has a zone) or a duration back from now.
 * @throws UsageError for anything else
 */
export function parseMoment(option: string, said: string | undefined, now: Date): Date | undefined {
  if (said === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(said) ?? [];
  if (count !== '') return addSeconds(now, -Number(count) * secondsOf[unit as keyof typeof secondsOf]);
  const isMoment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(
    said,
  );
  const hasZone = said.length === 10 || /(?:Z|[+-]\d{2}:\d{2})$/.test(said);
  const moment = new Date(isMoment && !hasZone ? `${said}Z` : said);
  if (!isMoment || Number.isNaN(moment.getTime()))
    throw new UsageError(`${option} must be a time such as 2026-03-02T10:00Z, or 24h (ago)`);
  return moment;
}
