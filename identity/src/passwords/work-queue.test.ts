import { expect, test } from 'vitest';
import { QueueFullError, createWorkQueue } from './work-queue.ts';

const figures = { concurrency: 2, queueSeconds: 1, firstEstimateSeconds: 0.5 };

/** Work that ends when the test says so. */
function pieces() {
  const ends: (() => void)[] = [];
  const piece = () => new Promise<void>((resolve) => ends.push(resolve));
  return { piece, begun: () => ends.length, endFirst: () => ends.shift()?.() };
}

test('never more run at once than there are slots', async () => {
  const queue = createWorkQueue({ ...figures, queueSeconds: 100 }, () => 0);
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

test('no more wait than is done within the queue’s time, and the next one is refused at once', async () => {
  const queue = createWorkQueue(figures, () => 0);
  const { piece, begun, endFirst } = pieces();
  const accepted = Array.from({ length: 6 }, () => queue.run(piece));
  // 2 run; 1 s of work for 2 slots of 0.5 s each is 4 waiting
  await expect(queue.run(piece)).rejects.toBeInstanceOf(QueueFullError);
  expect([queue.running(), queue.waiting()]).toEqual([2, 4]);

  for (let ended = 0; ended < 6; ended += 1) {
    await expect.poll(begun).toBeGreaterThan(0);
    endFirst();
  }
  await Promise.all(accepted);
  expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
});

test('when the work turns out quicker, more may wait', async () => {
  let now = 0;
  const queue = createWorkQueue(figures, () => now);
  for (let done = 0; done < 100; done += 1) {
    await queue.run(async () => {
      await Promise.resolve();
      now += 10;
    });
  }
  const { piece, begun, endFirst } = pieces();
  const accepted = Array.from({ length: 100 }, () => queue.run(piece));
  expect(queue.waiting()).toBe(98);
  for (let ended = 0; ended < 100; ended += 1) {
    await expect.poll(begun).toBeGreaterThan(0);
    endFirst();
  }
  await Promise.all(accepted);
});

test('once nothing waits any more, whoever waited is refused, what runs is finished, and nothing is begun', async () => {
  const queue = createWorkQueue(figures, () => 0);
  const { piece, begun, endFirst } = pieces();
  const accepted = Array.from({ length: 4 }, () => queue.run(piece));
  const outcomes = Promise.allSettled(accepted);
  queue.refuseWaiting();
  await expect(queue.run(piece)).rejects.toBeInstanceOf(QueueFullError);
  expect([queue.running(), queue.waiting(), begun()]).toEqual([2, 0, 2]);
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

test('work that fails gives its slot back', async () => {
  const queue = createWorkQueue(figures);
  const failing = () => Promise.reject(new Error('no'));
  await Promise.allSettled([queue.run(failing), queue.run(failing), queue.run(failing)]);
  expect(queue.running()).toBe(0);
  await expect(queue.run(() => Promise.resolve('yes'))).resolves.toBe('yes');
});

test('the house holds as many as run and may wait; a place that is given back twice counts once', () => {
  const queue = createWorkQueue(figures);
  const leave = Array.from({ length: 6 }, () => queue.admit());
  expect(() => queue.admit()).toThrow(QueueFullError);
  leave[0]?.();
  leave[0]?.();
  queue.admit();
  expect(() => queue.admit()).toThrow(QueueFullError);
});
