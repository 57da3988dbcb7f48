import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { paths } from '../http/page-addresses.ts';
import type { RegionResponse } from './routes.ts';
import type { Services } from '../services.ts';
import { HandOverRefused } from './signed-tokens.ts';
import { PeerUnavailable } from './peer-requests.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

type Facts = {
  userId?: string | undefined;
  site?: string | undefined;
  clientId?: string | undefined;
  region?: string | undefined;
};

/**
 * Returns the error if it is a refusal or an unreachable region.
 * @throws any other error, such as a bug or an unavailable database
 */
export function requireRefusal(error: unknown): HandOverRefused | PeerUnavailable {
  if (error instanceof HandOverRefused || error instanceof PeerUnavailable) return error;
  // The account changed or the session ended during the call.
  if (error instanceof ContractError && error.code === 'unauthorized')
    return new HandOverRefused(error.detail ?? error.code);
  throw error;
}

/** Records in the audit log why a hand-over failed, and returns the reason. */
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

type Needed = Pick<SignInServices, 'audit' | 'errorRecords' | 'externalAllowance'>;

/**
 * Records a failed hand-over and sends the browser to the error page, which does not show the reason. Anyone can send a
 * request without a valid hand-over, so the number of records per address is limited.
 */
export async function showRefusedHandOver(
  services: Needed,
  facts: Facts,
  error: unknown,
  exchange: Exchange,
): Promise<RegionResponse> {
  const refusal = requireRefusal(error);
  if ((await services.externalAllowance.take('refused hand-over', exchange)) !== undefined) {
    // An event of a known user is always recorded.
    if (facts.userId !== undefined) noteRefusedHandOver(services, facts, refusal, exchange);
    return { location: paths.error };
  }
  noteRefusedHandOver(services, facts, refusal, exchange);
  const errorId = await services.errorRecords.store({ error: 'session_migration_failure' }, exchange);
  return { location: `${paths.error}?${new URLSearchParams({ errorId }).toString()}` };
}
