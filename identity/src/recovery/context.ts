import type { RecoveryCallAnswer, RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Exchange } from '../http/exchange.ts';
import { linkValidityMinutes } from './limits.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient, findSignInUrl } from './return-address.ts';

/** The context of the recovery pages. Creates a session if there is none; the other calls are bound to it. */
export function createGetRecoveryContext(services: RecoveryServices) {
  return async (
    { query }: RecoveryCallInput<'getRecoveryContext'>,
    exchange: Exchange,
  ): Promise<RecoveryCallAnswer<'getRecoveryContext'>> => {
    // Sets the anti-forgery cookie.
    const { browserId } = await exchange.ensureSession();
    const client = await findRefererClient(services.database, query);
    return {
      linkValidityInMinutes: linkValidityMinutes,
      signInUrl: await findSignInUrl(services, client, browserId),
      loginFlowCustomizations: client?.customizations,
      branding: client?.branding,
    };
  };
}
