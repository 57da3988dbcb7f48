import { afterAll, beforeAll } from 'vitest';
import { startApplication } from './application.ts';
import type { TestApplication } from './application.ts';
import { openEmbeddedTestDatabase } from './describe-store.ts';

/** Starts the whole service for the tests of one file, on a new embedded database. */
export function useApplication(options: { settings?: Record<string, string> } = {}): () => TestApplication {
  let application: TestApplication | undefined;
  let closeDatabase: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const { database, close } = await openEmbeddedTestDatabase();
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
