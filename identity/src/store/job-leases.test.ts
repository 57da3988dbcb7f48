import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { startJobs } from '../process/jobs.ts';
import { secureRandom } from '../lib/random.ts';
import { createJobLeases } from './job-leases.ts';

const log = pino({ level: 'silent' });

describeStore('a job that several nodes share', (store) => {
  const clock = movableClock();
  const startNode = () => createJobLeases({ database: store().database, clock, random: secureRandom });
  beforeEach(() => store().database.deleteFrom('job_leases').execute());

  test('one of 20 nodes that ask at the same moment gets the job [F10]', async () => {
    const nodes = Array.from({ length: 20 }, startNode);
    const got = await Promise.all(nodes.map((node) => node.take('tidy up', 60)));
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  test('a job runs once, and again on any node when it is due again [F10]', async () => {
    let done = 0;
    const job = { name: 'count', everySeconds: 600, work: () => Promise.resolve({ done: ++done }) };
    const nodes = [startNode(), startNode()].map((leases) => startJobs([job], { leases, log }));
    for (const node of nodes) await node.look();
    await Promise.all(nodes.map((node) => node.look()));
    expect(done).toBe(1);
    clock.advanceSeconds(600);
    await Promise.all(nodes.map((node) => node.look()));
    expect(done).toBe(2);
    await Promise.all(nodes.map((node) => node.stop()));
    clock.advanceSeconds(600);
    await Promise.all(nodes.map((node) => node.look()));
    expect(done).toBe(2);
  });

  test('another node takes over when the lease of a stopped node expires; the stopped node then changes nothing even if it resumes [F06]', async () => {
    const [dead, heir] = [startNode(), startNode()];
    expect(await dead.take('tidy up', 60)).toBe(true);
    clock.advanceSeconds(59);
    expect(await heir.take('tidy up', 60)).toBe(false);
    clock.advanceSeconds(1);
    expect(await heir.take('tidy up', 60)).toBe(true);
    expect(await dead.extend('tidy up', 60)).toBe(false);
    await dead.finish('tidy up', 600);
    clock.advanceSeconds(30);
    expect(await heir.extend('tidy up', 60)).toBe(true);
  });

  test('a long job extends its lease', async () => {
    const [node, other] = [startNode(), startNode()];
    expect(await node.take('tidy up', 60)).toBe(true);
    clock.advanceSeconds(50);
    expect(await node.extend('tidy up', 60)).toBe(true);
    clock.advanceSeconds(50);
    expect(await other.take('tidy up', 60)).toBe(false);
  });

  test('a failed job runs again when it is due again, without delaying others', async () => {
    const seen: string[] = [];
    const jobs = [
      {
        name: 'broken',
        everySeconds: 30,
        work: () => Promise.reject(new Error(String(seen.push('broken')))),
      },
      { name: 'whole', everySeconds: 30, work: () => Promise.resolve({ seen: seen.push('whole') }) },
    ];
    const node = startJobs(jobs, { leases: startNode(), log });
    await node.look();
    await node.look();
    // The order varies, because a separate statement takes each job.
    expect(seen.toSorted()).toEqual(['broken', 'whole']);
    clock.advanceSeconds(30);
    await node.look();
    expect(seen.toSorted()).toEqual(['broken', 'broken', 'whole', 'whole']);
    await node.stop();
  });
});
