import { pruneOutbox } from './messages/outbox-store.ts';
import { pruneOpenidRecords } from './openid/prune-records.ts';
import { pruneSignIns } from './openid/sign-ins-store.ts';
import { pruneSignOuts } from './openid/sign-outs.ts';
import { prunePasswordLinks } from './recovery/links-store.ts';
import type { Services } from './services.ts';

const everySeconds = 10 * 60;

/** Forgets what has expired, in every table that visitors fill, so that none grows for ever. Several nodes may do it at once. */
export async function tidyUp(services: Services): Promise<Record<string, number>> {
  const { database, clock } = services;
  return {
    sessions: await services.sessions.prune(),
    signIns: await pruneSignIns(database, clock.now()),
    signOuts: await pruneSignOuts(services),
    openidRecords: await pruneOpenidRecords(database, clock.now()),
    auditEvents: await services.audit.prune(),
    errorRecords: await services.errorRecords.prune(),
    limits: await services.limits.prune(),
    outbox: await pruneOutbox(services),
    passwordLinks: await prunePasswordLinks(database, clock.now()),
    secondFactor: await services.secondFactor.prune(),
  };
}

/** Tidies up at intervals until it is stopped; a failure (the database is away) waits for the next time. */
export function startHousekeeping(
  services: Services,
  maintainDatabase: () => Promise<unknown>,
): { stop: () => void } {
  const work = async (): Promise<Record<string, number>> => {
    const forgotten = await tidyUp(services);
    await maintainDatabase();
    return forgotten;
  };
  const timer = setInterval(() => {
    work().then(
      (forgotten) => services.log.debug({ forgotten }, 'tidied up'),
      (error: unknown) => services.log.warn({ err: error }, 'could not tidy up'),
    );
  }, everySeconds * 1000);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
