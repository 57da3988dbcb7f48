import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { App } from './app.ts';
import type { StopSettings } from './config-stop.ts';
import type { RunningJobs } from './jobs.ts';
import type { Passwords } from './passwords/passwords.ts';

/** What is on its way on this machine has arrived by then. */
const shortestDrainMs = 200;
/** What it takes to be told to come back, and for what a hash was made for to be finished. */
const lastAnswersSeconds = 2;
const lookForIdleEveryMs = 100;
/** The kernel queues 512 connections for a listening port (Node's default backlog and one), and `localhost` may be two addresses. */
const longestAcceptQueues = 2 * 512;
/** Node publishes every accepted connection there, of whatever server. */
const acceptedConnections = 'net.server.socket';

/**
 * Readiness goes off; requests are taken until load balancers have seen it; the connections that the kernel has queued are accepted; the
 * port closes; what has been taken is answered. A sign-in that would still wait for its hash shortly before the end is told to come back,
 * instead of being cut off.
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
  // Whose answer had begun before the stop was not told that its connection closes, and would keep it.
  const lookingForIdle = setInterval(
    () => setImmediate(() => server.server.closeIdleConnections()),
    lookForIdleEveryMs,
  );
  try {
    await takeQueued();
    // beside each other: a job that takes its time takes none of the visitors'
    await Promise.all([server.close(), jobs.stop()]);
  } finally {
    clearTimeout(refusing);
    clearInterval(lookingForIdle);
  }
}

/**
 * Accepts the connections that the kernel has queued, and reads what has arrived on open connections: closing the port would reset the
 * former, and the latter would be closed as idle. A turn of the event loop accepts one connection of each port, so the queues are empty after
 * a turn that accepts none. It ends too after as many as the queues can hold: those that were queued when it began are among them.
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
