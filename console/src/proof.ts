import { useLocation } from 'react-router';
import type { Operation } from '../../identity/src/admin/permissions.ts';
import { needsProof, useMe } from './me.ts';
import { serviceAddresses } from './paths.ts';

/** Goes to the sign-in page, which returns to the address below `/console/`. */
export function leaveForProof(returnTo: string): void {
  location.assign(serviceAddresses.proof(returnTo));
}

/**
 * Returns whether the operation can start now. If not, the browser goes to the sign-in page before anything is typed,
 * and returns to the address `returnTo`.
 */
export function useProof(): (operation: Operation, returnTo?: string) => boolean {
  const me = useMe();
  const { pathname, search } = useLocation();
  return (operation, returnTo = pathname + search) => {
    if (!needsProof(me, operation)) return true;
    leaveForProof(returnTo);
    return false;
  };
}

/** Whether the operator came back from the sign-in page without a proof. */
let cancelled = false;
export const wasCancelled = (): boolean => cancelled;

/** The page that a proof in another tab ends on. */
export const confirmedPath = '/confirmed';
const channelName = 'anteroom-console';

/** Tells the other tabs of the console that their user has a fresh proof. */
export function announceProof(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('proved');
  channel.close();
}

/** Calls back after a proof in another tab. Returns the function that stops it. */
export function listenForProof(onProved: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', onProved);
  return () => channel.close();
}

/**
 * The sign-in page returns to `/console/?code=…&state=<address>`: shows that address. The code is worthless, because
 * the proof is in the session.
 */
export function takeReturn(): void {
  const { searchParams } = new URL(location.href);
  if (!(searchParams.has('code') || searchParams.has('error'))) return;
  cancelled = searchParams.has('error');
  const target = URL.parse(searchParams.get('state') ?? '', `${location.origin}/console/`);
  const isOwn = target?.origin === location.origin && target.pathname.startsWith('/console/');
  history.replaceState(null, '', isOwn ? target.pathname + target.search : '/console/');
}
