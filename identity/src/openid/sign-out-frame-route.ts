import type { FastifyInstance } from 'fastify';
import { ContractError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { drawSignOutFrame, findFrameAddresses, signOutFramePath } from './sign-out-frame.ts';

/** The one page that may be framed, by our own logged-out page alone. */
export function registerSignOutFrame(
  app: FastifyInstance,
  services: Services,
  findProviderAddress: (provider: string) => Promise<string | undefined>,
): void {
  app.get<{ Querystring: { ticket?: unknown } }>(signOutFramePath, async (request, reply) => {
    const told = await findFrameAddresses(services, request.query.ticket, findProviderAddress);
    if (told === undefined)
      throw new ContractError('not_found', { detail: 'no valid ticket, or its session lasts' });
    const { html, contentPolicy } = drawSignOutFrame(told);
    return (
      reply
        .header('content-security-policy', contentPolicy)
        .header('x-frame-options', 'SAMEORIGIN')
        // the ticket is nobody else's business
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(html)
    );
  });
}
