import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // each package says in its own vitest.config.ts what its tests need; these need nothing
    projects: [
      'web',
      'console',
      'identity',
      'verify',
      ...['contract', 'boards-demo', 'testkit', 'e2e', 'bench', 'tools'].map((name) => ({
        test: { name, root: name, environment: 'node' as const, isolate: false, testTimeout: 120_000 },
      })),
    ],
  },
});
