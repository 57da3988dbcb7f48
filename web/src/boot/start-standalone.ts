import type { EarlyStart } from './early-start.ts';
import type { StandalonePage } from './arrival.ts';

/** Starts a page outside the sign-in flow; each is a separate chunk. */
export async function startStandalone(early: EarlyStart, page: StandalonePage): Promise<void> {
  if (page === 'account') return (await import('./start-account.tsx')).startAccount(early);
  if (page === 'passkey') return (await import('./start-passkey.tsx')).startPasskey(early);
  return (await import('./start-recovery.tsx')).startRecovery(early, page);
}
