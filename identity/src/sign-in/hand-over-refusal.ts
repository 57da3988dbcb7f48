import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { createAllowances } from '../limits/allowances.ts';
import type { Onward } from '../regions/routes.ts';
import type { Services } from '../services.ts';
import { HandOverRefused } from '../regions/signed-words.ts';
import { PeerUnavailable } from '../regions/peer-requests.ts';

type Facts = {
  personId?: string | undefined;
  site?: string | undefined;
  clientId?: string | undefined;
  region?: string | undefined;
};

/** A refusal of ours, or a region that cannot be reached. @throws everything else, as it came: a bug, or the database is away */
export function requireRefusal(error: unknown): HandOverRefused | PeerUnavailable {
  if (error instanceof HandOverRefused || error instanceof PeerUnavailable) return error;
  // the account changed, or the session ended, while the call was being answered
  if (error instanceof ContractError && error.code === 'unauthorized')
    return new HandOverRefused(error.detail ?? error.code);
  throw error;
}

/** Notes why a hand-over ended, for operators alone; returns the reason. */
export function noteRefusedHandOver(
  { audit }: Pick<Services, 'audit'>,
  { region, ...facts }: Facts,
  { message: reason }: Error,
  exchange: Exchange,
): string {
  const details = region === undefined ? undefined : { region };
  audit.note(
    { event: 'region.hand-over', result: 'failure', reason, ...facts, ...(details && { details }) },
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
  const refusal = requireRefusal(error);
  if (!(await mayLeaveTrace(services, exchange))) {
    // what becomes of a person is always noted
    if (facts.personId !== undefined) noteRefusedHandOver(services, facts, refusal, exchange);
    return { location: '/ui/home/error' };
  }
  noteRefusedHandOver(services, facts, refusal, exchange);
  const errorId = await services.errorRecords.store({ error: 'session_migration_failure' }, exchange);
  return { location: `/ui/home/error?${new URLSearchParams({ errorId }).toString()}` };
}

async function mayLeaveTrace(services: Needed, { address }: Exchange): Promise<boolean> {
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const limit = { count: services.config.external.tripsPerTenMinutes, windowSeconds };
  return (await allowances.take('refused hand-over', { address }, limit)) === undefined;
}
