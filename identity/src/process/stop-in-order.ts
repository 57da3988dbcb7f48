import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { StopSettings } from '../config/config-process.ts';
import type { RunningJobs } from './jobs.ts';
import type { Passwords } from '../passwords/passwords.ts';

/** Within this time, packets in transit on this machine arrive. */
const shortestDrainMs = 200;
/** Enough time to reject the requests that wait for a hash, and to finish those whose hash is done. */
const lastAnswersSeconds = 2;
const lookForIdleEveryMs = 100;
/**
 * The kernel queues 512 connections per listening address (Node's default backlog of 511, plus 1), and `localhost` can
 * have two addresses.
 */
const longestAcceptQueues = 2 * 512;
/** The channel on which Node publishes every accepted connection. */
const acceptedConnections = 'net.server.socket';

/**
 * Shuts the service down in this order: fail the readiness probe; accept requests until load balancers have noticed;
 * accept the connections that the kernel has queued; close the port; answer the requests in flight. Shortly before the
 * end, sign-ins that still wait for their hash are rejected with a retry time instead of being cut off.
 */
export async function stopInOrder(
  {
    readiness,
    server,
    services,
  }: Pick<App, 'readiness' | 'server'> & { services: { passwords: Pick<Passwords, 'refuseWaiting'> } },
  jobs: Pick<RunningJobs, 'stop'>,
  { drainSeconds, finishSeconds }: StopSettings,
): Promise<void> {
  readiness.stop();
  await wait(Math.max(drainSeconds * 1000, shortestDrainMs));
  const refusing = setTimeout(
    () => services.passwords.refuseWaiting(),
    Math.max(0, finishSeconds - lastAnswersSeconds) * 1000,
  );
  // A response that began before the stop has no `connection: close`, so its client would keep the connection open.
  const lookingForIdle = setInterval(
    () => setImmediate(() => server.server.closeIdleConnections()),
    lookForIdleEveryMs,
  );
  try {
    await takeQueued();
    // In parallel, so that a slow job does not reduce the time for requests.
    await Promise.all([server.close(), jobs.stop()]);
  } finally {
    clearTimeout(refusing);
    clearInterval(lookingForIdle);
  }
}

/**
 * Accepts the connections that the kernel has queued, and reads received data on open connections: closing the port
 * would reset the queued connections, and close the open ones as idle. A turn of the event loop accepts one connection
 * per port, so the queues are empty after a turn without a new connection. The function also ends after as many
 * connections as the queues can hold, because these include all that were queued at its start.
 */
async function takeQueued(): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  subscribe(acceptedConnections, count);
  let before: number;
  do {
    before = accepted;
    await nextTurn();
  } while (accepted > before && accepted < longestAcceptQueues);
  unsubscribe(acceptedConnections, count);
}
