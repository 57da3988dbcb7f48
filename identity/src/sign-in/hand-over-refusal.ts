import type { Exchange } from '../http/exchange.ts';
import { createAllowances } from '../limits/allowances.ts';
import { countedAddress } from '../limits/counted-address.ts';
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

const windowSeconds = 10 * 60;

type Needed = Pick<Services, 'audit' | 'errorRecords' | 'database' | 'clock' | 'keys' | 'config'>;

/**
 * The same for a browser on its way: it is shown our error page, which says nothing of why. Anybody may come here with nothing: that
 * leaves a trace as often as an address may begin a trip to a company, and no more.
 */
export async function showRefusedHandOver(
  services: Needed,
  facts: Facts,
  error: unknown,
  exchange: Exchange,
): Promise<Onward> {
  if (isDatabaseUnavailable(error)) throw error;
  if (!(await mayLeaveTrace(services, exchange))) {
    // what becomes of a person is always noted
    if (facts.personId !== undefined) refuseHandOver(services, facts, error, exchange);
    return { location: '/ui/home/error' };
  }
  refuseHandOver(services, facts, error, exchange);
  const errorId = await services.errorRecords.store({
    error: 'session_migration_failure',
    correlationId: exchange.correlationId,
  });
  return { location: `/ui/home/error?${new URLSearchParams({ errorId }).toString()}` };
}

async function mayLeaveTrace(services: Needed, { address }: Exchange): Promise<boolean> {
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const limit = { count: services.config.external.tripsPerTenMinutes, windowSeconds };
  return (await allowances.take('refused hand-over', countedAddress(address), limit)) === undefined;
}
