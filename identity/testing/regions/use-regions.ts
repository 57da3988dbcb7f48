import { afterAll, beforeAll } from 'vitest';
import { openTestDatabase } from '../describe-store.ts';
import { startTwoRegions } from './two-regions.ts';
import type { TwoRegions } from './two-regions.ts';

/** Starts two regions for the tests of one suite, each on an empty database. */
export function useRegions(open = openTestDatabase, settings: Record<string, string> = {}): () => TwoRegions {
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
