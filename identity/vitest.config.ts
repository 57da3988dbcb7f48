import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'identity',
    environment: 'node',
    include: ['src/**/*.test.ts', 'testing/**/*.test.ts'],
    globalSetup: ['testing/databases.global.ts'],
    // A new embedded database takes seconds on a busy machine.
    hookTimeout: 60_000,
    testTimeout: 20_000,
  },
});
