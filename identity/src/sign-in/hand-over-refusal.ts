import type { Exchange } from '../http/exchange.ts';
import type { Onward } from '../regions/routes.ts';
import type { Services } from '../services.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';

type Facts = {
  personId?: string | undefined;
  site?: string | undefined;
  clientId?: string | undefined;
  region?: string | undefined;
};

/**
 * Notes why a hand-over ended, for operators alone; answers the reason.
 * @throws what was thrown when the database is away: that is no refusal, and is told as `overloaded`
 */
export function refuseHandOver(
  { audit }: Pick<Services, 'audit'>,
  { region, ...facts }: Facts,
  error: unknown,
  exchange: Exchange,
): string {
  if (isDatabaseUnavailable(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  audit.note(
    {
      event: 'region.hand-over',
      result: 'failure',
      reason,
      ...facts,
      ...(region !== undefined && { details: { region } }),
    },
    exchange,
  );
  return reason;
}

/** The same for a browser on its way: it is shown our error page, which says nothing of why. */
export async function showRefusedHandOver(
  services: Pick<Services, 'audit' | 'errorRecords'>,
  facts: Facts,
  error: unknown,
  exchange: Exchange,
): Promise<Onward> {
  refuseHandOver(services, facts, error, exchange);
  const errorId = await services.errorRecords.store({
    error: 'session_migration_failure',
    correlationId: exchange.correlationId,
  });
  return { location: `/ui/home/error?${new URLSearchParams({ errorId }).toString()}` };
}
