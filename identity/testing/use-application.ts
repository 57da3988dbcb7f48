import { afterAll, beforeAll } from 'vitest';
import { startApplication } from './application.ts';
import type { TestApplication } from './application.ts';
import { openTestDatabase } from './describe-store.ts';

/** Starts the whole service for the tests of one file, on an empty database. */
export function useApplication(
  options: Pick<Parameters<typeof startApplication>[1] & object, 'settings' | 'fixed'> = {},
): () => TestApplication {
  let application: TestApplication | undefined;
  let closeDatabase: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const { database, close } = await openTestDatabase();
    closeDatabase = close;
    application = await startApplication(database, options);
  });
  afterAll(async () => {
    await application?.close();
    await closeDatabase?.();
  });
  return () => {
    if (application === undefined) throw new Error('The service is not available before the first test runs');
    return application;
  };
}
