import type { EarlyStart } from './early-start.ts';
import type { StandalonePage } from './arrival.ts';

/**
 * Starts a page outside the sign-in flow; each is a separate chunk.
 * @param startFlow starts the flow instead, for a page that the service does not have
 */
export async function startStandalone(
  early: EarlyStart,
  page: StandalonePage,
  startFlow: () => Promise<void>,
): Promise<void> {
  if (page === 'account') return (await import('./start-account.tsx')).startAccount(early, startFlow);
  if (page === 'passkey') return (await import('./start-passkey.tsx')).startPasskey(early);
  return (await import('./start-recovery.tsx')).startRecovery(early, page);
}
