import type { IncomingHttpHeaders } from 'node:http';
import { paths } from './page-addresses.ts';

/** The error id for a rate-limited visitor. It has no record, so that nothing more is stored for the visitor. */
export const rateLimitErrorId = 'rate_limit_reached';

export const rateLimitPage = `${paths.error}?errorId=${rateLimitErrorId}`;

/** Whether the response is shown as a page rather than read by a program. */
export function isNavigation({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html');
}
