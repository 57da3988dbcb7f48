import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { root } from '../root.ts';

/** `first` is `npm test`, `rest` is `npm run test:all`. */
export type Tier = 'first' | 'rest';

/**
 * The test files that only `npm run test:all` runs. Every other test file belongs to `npm test`: unit, flow and screen
 * tests, the service's tests on one database, and one journey for each goal of a user.
 */
export const restOfTests: Readonly<Record<string, readonly string[]>> = {
  'rules of the specification that need layout, navigation or a real browser': ['e2e/specification/**'],
  'variants of journeys': ['e2e/journeys/variants/**', 'e2e/journeys/security/**'],
  'accessibility of every state': ['e2e/journeys/accessibility{,-of-recovery}.journey.ts'],
  pictures: ['e2e/pictures/**'],
  'real peers': ['e2e/journeys/peers/**'],
  'other browser engines': ['e2e/journeys/engines/**'],
  'nodes, kills and failover': [
    'e2e/journeys/{kill,versions}.journey.ts',
    'identity/testing/nodes/**',
    'identity/src/store/{connection-settings,directory-lock,server-connection}.test.ts',
  ],
  'processes of the service and of the command line': ['identity/src/{,cli/}main.test.ts'],
  'samples, packages and the release': [
    'e2e/journeys/samples.journey.ts',
    'tools/release.test.ts',
    'verify/drivers/{samples,packages,command}.test.ts',
  ],
  'long model runs': ['identity/testing/two-users/**'],
  'mutants of the conformance kit': ['verify/mutants/**'],
  'tests of tools': ['tools/{lint,test}/**', 'tools/{command,run-on-pinned-node}.test.ts'],
};

const testFiles = {
  vitest: '**/*.test.{ts,tsx}',
  playwright: 'e2e/**/*.journey.ts',
};

/** All test files of a runner, from the root. */
export function findTests(runner: keyof typeof testFiles): string[] {
  return globSync(testFiles[runner], {
    cwd: root,
    exclude: (path) => path.endsWith('node_modules') || path === 'release',
  }).toSorted();
}

/** The test files of a runner in a tier. */
export function findTestsOf(tier: Tier, runner: keyof typeof testFiles): string[] {
  const patterns = Object.values(restOfTests).flat();
  const isRest = (path: string): boolean => patterns.some((pattern) => matchesGlob(path, pattern));
  return findTests(runner).filter((path) => isRest(path) === (tier === 'rest'));
}
