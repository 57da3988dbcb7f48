import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { createBrowserCookies } from '../http/cookies.ts';
import type { Clock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import { secureRandom } from '../lib/random.ts';
import type { AppDependencies, Services } from '../services.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Actor } from './actor.ts';
import { RefusedError } from './problems.ts';

/** The settings, database and services that an operation uses. */
export type AdminResources = {
  config: Config;
  database: Database;
  clock: Clock;
  log: AppDependencies['log'];
  /**
   * Created on the first call, because read-only operations need neither services nor keys. Never call it inside a
   * transaction: PGlite has a single connection.
   */
  services: () => Promise<Services>;
  /** Sends due back-channel logout notices; the service retries those that fail. */
  notifyApplications: () => Promise<void>;
  close: () => Promise<void>;
};

export type AdminContext = AdminResources & {
  /** The values that all audit events of the operation share. */
  operation: { actor: Actor; correlationId: string };
};

export function createAdminResources(
  given: Omit<AdminResources, 'services' | 'notifyApplications'>,
  loadKeys: () => Promise<Keys>,
): AdminResources {
  let services: Promise<Services> | undefined;
  const findServices = (): Promise<Services> => (services ??= createAllServices());
  // Loaded late: the libraries of the services take half of the time of a read-only command.
  async function createAllServices(): Promise<Services> {
    const { createServices } = await import('../services.ts');
    return await createServices({ ...given, keys: await loadKeys(), random: secureRandom });
  }
  return {
    ...given,
    services: findServices,
    async notifyApplications() {
      const { createOpenidProvider } = await import('../provider/provider.ts');
      const cookies = createBrowserCookies(given.config.publicUrl);
      const provider = createOpenidProvider(await findServices(), {
        name: cookies.providerName,
        secure: cookies.secure,
      });
      provider.notifyApplications();
      await provider.settle();
    },
    async close() {
      await (await services)?.settleMessages();
      await (await services)?.audit.close();
      await given.close();
    },
  };
}

/**
 * A process makes one change at a time: the database lets changes in one after the other anyway, and while they wait
 * they must not hold its connections.
 */
const turns = new WeakMap<Database, Promise<unknown>>();
const longestWaitMs = 5_000;

/** @throws RefusedError if the turn has not come after five seconds */
export async function inTurn<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const before = turns.get(database) ?? Promise.resolve();
  let state: 'waiting' | 'running' | 'given up' = 'waiting';
  const own = before.then(() => {
    if (state === 'given up') throw tooManyChanges();
    state = 'running';
    return work();
  });
  turns.set(
    database,
    own.catch(() => undefined),
  );
  const patience = new AbortController();
  const timeOut = wait(longestWaitMs, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([own.catch(() => undefined), timeOut]);
  patience.abort();
  if (state === 'waiting') {
    state = 'given up';
    own.catch(() => undefined);
    throw tooManyChanges();
  }
  return await own;
}

function tooManyChanges(): RefusedError {
  return new RefusedError('other changes are taking long: try again', { kind: 'busy', retryAfterSeconds: 5 });
}

/** Runs the work in one transaction. A dry run rolls it back and returns the same result. */
export async function runInTransaction<Result>(
  { database }: Pick<AdminContext, 'database'>,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<Result> {
  let result: { value: Result } | undefined;
  const rollBack = new Error('dry run');
  try {
    await database.transaction().execute(async (transaction) => {
      result = { value: await work(transaction) };
      if (dryRun) throw rollBack;
    });
  } catch (error) {
    if (error !== rollBack) throw error;
  }
  if (result === undefined) throw rollBack;
  return result.value;
}
