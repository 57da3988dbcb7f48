import { afterAll, beforeAll } from 'vitest';
import { openEmbeddedTestDatabase, openServerTestDatabase, serverIsThere } from '../describe-store.ts';
import { startTwoRegions } from './two-regions.ts';
import type { TwoRegions } from './two-regions.ts';

/** The available kinds of databases, for `describe.each`. */
export const databaseKinds = [
  { kind: 'PGlite', open: openEmbeddedTestDatabase },
  ...(serverIsThere() ? [{ kind: 'PostgreSQL', open: openServerTestDatabase }] : []),
];

/** Starts two regions for the tests of one suite, each on a new database. */
export function useRegions(
  open = openEmbeddedTestDatabase,
  settings: Record<string, string> = {},
): () => TwoRegions {
  let regions: TwoRegions | undefined;
  const closings: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const databases = { eu: await open(), us: await open() };
    closings.push(databases.eu.close, databases.us.close);
    regions = await startTwoRegions(databases, settings);
  });
  afterAll(async () => {
    await regions?.close();
    for (const close of closings) await close();
  });
  return () => {
    if (regions === undefined) throw new Error('The regions are not available before the first test runs');
    return regions;
  };
}
