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

/**
 * Readiness goes off; requests are taken until load balancers have seen it; the port closes; what has been taken is answered. A sign-in
 * that would still wait for its hash shortly before the end is told to come back, instead of being cut off.
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
  // What this machine has taken and the process not yet read is no idle connection: on a busy one a timer comes before it.
  await nextTurn();
  await nextTurn();
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
    // beside each other: a job that takes its time takes none of the visitors'
    await Promise.all([server.close(), jobs.stop()]);
  } finally {
    clearTimeout(refusing);
    clearInterval(lookingForIdle);
  }
}
