import { hash } from '@node-rs/argon2';
import { beforeAll, expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { createPasswords } from './passwords.ts';
import type { Passwords } from './passwords.ts';

const settings = { memoryKib: 1024, timeCost: 1, concurrency: 2, queueSeconds: 1 };
const dependencies = () => ({
  metrics: createMetrics(),
  storedKinds: () => Promise.resolve(new Set<string>()),
});
let passwords: Passwords;

beforeAll(async () => {
  passwords = await createPasswords(settings, dependencies());
});

test('only the right password matches', async () => {
  const stored = await passwords.hash('quiet harbor morning 74');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/);
  expect(await passwords.verify('quiet harbor morning 74', stored)).toEqual({
    matches: true,
    rehash: undefined,
  });
  for (const wrong of ['quiet harbor morning 7', 'quiet harbor morning 74 ', 'Quiet harbor morning 74', '']) {
    expect(await passwords.verify(wrong, stored)).toEqual({ matches: false });
  }
});

test('composed and decomposed letters are the same password', async () => {
  const stored = await passwords.hash('Zürich café'.normalize('NFD'));
  expect(await passwords.verify('Zürich café'.normalize('NFC'), stored)).toMatchObject({ matches: true });
});

test.each([
  ['U+00A0', '\u00a0'],
  ['U+202F', '\u202f'],
  ['U+3000', '\u3000'],
  ['U+2007', '\u2007'],
])('a pass phrase with %s for its spaces is the same password', async (_name, space) => {
  const typed = 'quiet harbor morning 74';
  const pasted = typed.replaceAll(' ', space);
  expect(await passwords.verify(pasted, await passwords.hash(typed))).toMatchObject({ matches: true });
  expect(await passwords.verify(typed, await passwords.hash(pasted))).toMatchObject({ matches: true });
  expect(await passwords.matches(pasted, await passwords.hash(typed))).toBe(true);
  // a hash from before the normalisation of spaces
  const older = await hash(pasted, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  expect(await passwords.verify(pasted, older)).toMatchObject({ matches: true });
  expect(await passwords.verify(pasted.replaceAll(space, ''), older)).toEqual({ matches: false });
});

test('a pass phrase with other spaces costs two hashes, also for an unknown user', async () => {
  const given = dependencies();
  const fresh = await createPasswords(settings, given);
  const stored = await hash('something', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  expect(await fresh.verify('something\u00a0else', undefined)).toEqual({ matches: false });
  expect(await hashCount(given.metrics)).toBe(2);
  expect(await fresh.verify('something\u00a0else', stored)).toEqual({ matches: false });
  expect(await hashCount(given.metrics)).toBe(4);
});

test('no password is truncated: passwords that share 72 bytes, 128 characters, or everything up to a NUL do not match', async () => {
  for (const [one, other] of [
    [`${'a'.repeat(72)}1`, `${'a'.repeat(72)}2`],
    [`${'b'.repeat(128)}1`, `${'b'.repeat(128)}2`],
    ['c\0one', 'c\0two'],
  ] as const) {
    const stored = await passwords.hash(one);
    expect(await passwords.verify(other, stored)).toEqual({ matches: false });
    expect(await passwords.verify(one, stored)).toMatchObject({ matches: true });
  }
});

test('256 code points are accepted, also with two units each; 257 are rejected without hashing', async () => {
  const emoji = '🔑'.repeat(256);
  expect(await passwords.verify(emoji, await passwords.hash(emoji))).toMatchObject({ matches: true });

  const given = dependencies();
  const fresh = await createPasswords(settings, given);
  for (const long of ['x'.repeat(257), '🔑'.repeat(257), 'x'.repeat(1_000_000)]) {
    await expect(fresh.hash(long)).rejects.toMatchObject({ code: 'invalid_new_password' });
    expect(await fresh.verify(long, undefined)).toEqual({ matches: false });
  }
  expect(await hashCount(given.metrics)).toBe(0);
});

test('an unknown user costs one hash, like a known user', async () => {
  const given = dependencies();
  const fresh = await createPasswords(settings, given);
  const stored = await hash('something', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  expect(await fresh.verify('something else', undefined)).toEqual({ matches: false });
  expect(await hashCount(given.metrics)).toBe(1);
  expect(await fresh.verify('something else', stored)).toEqual({ matches: false });
  expect(await hashCount(given.metrics)).toBe(2);
});

test('after a change of parameters the right password returns a new hash to store', async () => {
  const older = await hash('quiet harbor', { memoryCost: 512, timeCost: 2, parallelism: 1 });
  const verdict = await passwords.verify('quiet harbor', older);
  expect(verdict).toMatchObject({ matches: true, rehash: expect.stringContaining('m=1024,t=1,p=1') });
  expect(await passwords.verify('wrong', older)).toEqual({ matches: false });
});

test('on shutdown, queued work is rejected with overloaded and the running hash finishes [F10]', async () => {
  const leaving = await createPasswords({ ...settings, concurrency: 1, queueSeconds: 30 }, dependencies());
  const attempts = Array.from({ length: 3 }, () => leaving.verify('x', undefined));
  const outcomes = Promise.allSettled(attempts);
  leaving.refuseWaiting();
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled', value: { matches: false } },
    { status: 'rejected', reason: { code: 'overloaded', status: 503, retryAfterSeconds: 1 } },
    { status: 'rejected', reason: { code: 'overloaded', status: 503, retryAfterSeconds: 1 } },
  ]);
});

test('a full queue responds with overloaded and Retry-After at once', async () => {
  const given = dependencies();
  const busy = await createPasswords({ ...settings, memoryKib: 19_456, timeCost: 2, concurrency: 1 }, given);
  const attempts = Array.from({ length: 1000 }, () => busy.verify('x', undefined));
  const first = await Promise.race(
    attempts.map((attempt) =>
      attempt.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  expect(first).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 });

  const results = await Promise.allSettled(attempts);
  const done = results.filter((result) => result.status === 'fulfilled').length;
  expect(done).toBeGreaterThan(1);
  expect(done).toBeLessThan(400);
  expect(await hashCount(given.metrics)).toBe(done);
});

async function hashCount(metrics: ReturnType<typeof createMetrics>): Promise<number> {
  const text = await metrics.registry.metrics();
  return Number(/^anteroom_password_hash_seconds_count (\d+)/m.exec(text)?.[1] ?? 0);
}
