import type { EarlyStart } from './early-start.ts';
import type { PageBeside } from './arrival.ts';

/** Starts a page that stands beside the flow of a sign-in; each is fetched for its own visitors alone. */
export async function startBeside(early: EarlyStart, page: PageBeside): Promise<void> {
  if (page === 'account') return (await import('./start-account.tsx')).startAccount(early);
  if (page === 'passkey') return (await import('./start-passkey.tsx')).startPasskey(early);
  return (await import('./start-recovery.tsx')).startRecovery(early, page);
}
