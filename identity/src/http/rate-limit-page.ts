import type { IncomingHttpHeaders } from 'node:http';

/** Names what the error page shows to a visitor who has to wait. It is no record: nothing more is written for the visitor. */
export const rateLimitErrorId = 'rate_limit_reached';

export const rateLimitPage = `/ui/home/error?errorId=${rateLimitErrorId}`;

/** Whether the answer is shown to a visitor as a page, and not read by a program. */
export function isNavigation({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html');
}
