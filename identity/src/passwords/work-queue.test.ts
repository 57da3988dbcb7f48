import { expect, test } from 'vitest';
import { QueueFullError, createWorkQueue } from './work-queue.ts';

const options = { concurrency: 2, queueSeconds: 1, firstEstimateSeconds: 0.5 };

/** Creates tasks that end when the test decides. */
function createTasks() {
  const ends: (() => void)[] = [];
  const task = () => new Promise<void>((resolve) => ends.push(resolve));
  return { task, started: () => ends.length, endFirst: () => ends.shift()?.() };
}

test('runs at most as many tasks at once as there are slots', async () => {
  const queue = createWorkQueue({ ...options, queueSeconds: 100 }, () => 0);
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 50 }, () => queue.run(work)));
  expect(most).toBe(2);
  expect(queue.running()).toBe(0);
});

test('queues only as many tasks as the queue time allows, and rejects further tasks at once', async () => {
  const queue = createWorkQueue(options, () => 0);
  const { task, started, endFirst } = createTasks();
  const accepted = Array.from({ length: 6 }, () => queue.run(task));
  // Two tasks run. In a queue of 1 s, two slots with tasks of 0.5 s each serve four waiting tasks.
  await expect(queue.run(task)).rejects.toBeInstanceOf(QueueFullError);
  expect([queue.running(), queue.waiting()]).toEqual([2, 4]);

  for (let ended = 0; ended < 6; ended += 1) {
    await expect.poll(started).toBeGreaterThan(0);
    endFirst();
  }
  await Promise.all(accepted);
  expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
});

test('queues more tasks when they become faster', async () => {
  let now = 0;
  const queue = createWorkQueue(options, () => now);
  for (let done = 0; done < 100; done += 1) {
    await queue.run(async () => {
      await Promise.resolve();
      now += 10;
    });
  }
  const { task, started, endFirst } = createTasks();
  const accepted = Array.from({ length: 100 }, () => queue.run(task));
  expect(queue.waiting()).toBe(98);
  for (let ended = 0; ended < 100; ended += 1) {
    await expect.poll(started).toBeGreaterThan(0);
    endFirst();
  }
  await Promise.all(accepted);
});

test('after refuseWaiting, queued and new tasks are rejected and running tasks finish', async () => {
  const queue = createWorkQueue(options, () => 0);
  const { task, started, endFirst } = createTasks();
  const accepted = Array.from({ length: 4 }, () => queue.run(task));
  const outcomes = Promise.allSettled(accepted);
  queue.refuseWaiting();
  await expect(queue.run(task)).rejects.toBeInstanceOf(QueueFullError);
  expect([queue.running(), queue.waiting(), started()]).toEqual([2, 0, 2]);
  endFirst();
  endFirst();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(queue.running()).toBe(0);
});

test('a failed task releases its slot', async () => {
  const queue = createWorkQueue(options);
  const failing = () => Promise.reject(new Error('no'));
  await Promise.allSettled([queue.run(failing), queue.run(failing), queue.run(failing)]);
  expect(queue.running()).toBe(0);
  await expect(queue.run(() => Promise.resolve('yes'))).resolves.toBe('yes');
});

test('admits as many requests as can run and wait; releasing an admission twice counts once', () => {
  const queue = createWorkQueue(options);
  const leave = Array.from({ length: 6 }, () => queue.admit());
  expect(() => queue.admit()).toThrow(QueueFullError);
  leave[0]?.();
  leave[0]?.();
  queue.admit();
  expect(() => queue.admit()).toThrow(QueueFullError);
});
