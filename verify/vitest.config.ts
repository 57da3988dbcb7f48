import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'verify',
    environment: 'node',
    isolate: false,
    // The real service runs on an embedded database.
    globalSetup: ['../identity/testing/databases.global.ts'],
    hookTimeout: 180_000,
    testTimeout: 180_000,
  },
});
