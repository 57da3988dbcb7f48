import { readFileSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { lowerHashingPriority } from './passwords.ts';

test.runIf(process.platform === 'linux')(
  'the hashing threads have a lower priority than the main thread',
  async () => {
    await hash('a password, so that the threads are there', { memoryCost: 8, timeCost: 1 });
    lowerHashingPriority();
    const priorities = new Map<string, number[]>();
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      priorities.set(name, [...(priorities.get(name) ?? []), getPriority(Number(thread))]);
    }
    const hashing = priorities.get('libuv-worker') ?? [];
    expect(hashing.length).toBeGreaterThan(0);
    expect(Math.min(...hashing)).toBeGreaterThan(getPriority(process.pid));
  },
);
