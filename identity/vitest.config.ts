import { availableParallelism } from 'node:os';
import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'identity',
    environment: 'node',
    // left to itself it keeps a core free for the main thread, which has little to do: much of these tests is waiting for processes
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // after the other packages, which keep to the number of workers that vitest has for them
    sequence: { groupOrder: 1 },
    // a file shares what it imports with those before it in its worker: to load the service costs two seconds of a core, and most files
    // take less. Each has services and databases of its own, and puts back the date that it moved.
    isolate: false,
    include: ['src/**/*.test.ts', 'testing/**/*.test.ts'],
    globalSetup: ['testing/databases.global.ts'],
    // these end what hangs; a machine that is slow is no fault
    hookTimeout: 180_000,
    testTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
