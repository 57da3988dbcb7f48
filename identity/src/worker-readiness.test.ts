import { expect, test } from 'vitest';
import type { ReadinessFinding } from './readiness.ts';
import { reportReadiness } from './workers.ts';

type Worker = Parameters<typeof reportReadiness>[0][number];

function worker(number: number, state: 'starting' | 'silent' | readonly ReadinessFinding[]): Worker {
  const report =
    typeof state === 'string'
      ? undefined
      : { ready: state.length === 0, problems: state, warnings: [], checkedAt: new Date() };
  return {
    number,
    isListening: () => state !== 'starting',
    ask: () => Promise.resolve(report as never),
  };
}
const database = { check: 'database', reason: 'The database cannot be used' } as const;

test('a node is ready while every listening worker is ready', async () => {
  expect(await reportReadiness([worker(1, []), worker(2, [])], 2)).toMatchObject({
    ready: true,
    problems: [],
    warnings: [],
  });
});

test('a node is not ready while a listening worker is not ready; the same reason is reported once', async () => {
  expect(await reportReadiness([worker(1, []), worker(2, [database])], 2)).toMatchObject({
    ready: false,
    problems: [database],
  });
  const both = await reportReadiness([worker(1, [database]), worker(2, [database])], 2);
  expect(both.problems).toEqual([database]);
});

test('a worker that is starting is a warning while another worker serves, and a problem otherwise', async () => {
  expect(await reportReadiness([worker(1, []), worker(2, 'starting')], 2)).toMatchObject({
    ready: true,
    warnings: [{ check: 'workers', reason: expect.stringContaining('1 of 2 workers') }],
  });
  expect(await reportReadiness([worker(2, 'starting')], 2)).toMatchObject({
    ready: false,
    problems: [{ check: 'workers', reason: expect.stringContaining('0 of 2 workers') }],
  });
});

test('a worker that does not answer makes the node not ready', async () => {
  expect(await reportReadiness([worker(1, []), worker(2, 'silent')], 2)).toMatchObject({
    ready: false,
    problems: [{ check: 'workers', reason: 'Worker 2 does not answer' }],
  });
});
