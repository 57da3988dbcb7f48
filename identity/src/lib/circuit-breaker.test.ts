import { expect, test } from 'vitest';
import { DeliveryError } from './delivery-error.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const options = { failuresToOpen: 5, openSeconds: 30 };

function setUp() {
  let nowMs = 0;
  let calls = 0;
  const breaker = createCircuitBreaker(options, () => nowMs);
  const attempt = (outcome: 'ok' | DeliveryError['failure']): Promise<string> =>
    breaker
      .run(() => {
        calls += 1;
        return outcome === 'ok' ? Promise.resolve('ok') : Promise.reject(new DeliveryError(outcome, 'x'));
      })
      .catch((error: unknown) => (error instanceof DeliveryError ? error.message : 'unknown'));
  return {
    breaker,
    attempt,
    calls: () => calls,
    advanceSeconds: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

test('opens the circuit for 30 seconds after 5 consecutive failures [F08]', async () => {
  const { attempt, calls, advanceSeconds } = setUp();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  expect(await attempt('ok')).toContain('circuit is open');
  advanceSeconds(29);
  expect(await attempt('ok')).toContain('circuit is open');
  expect(calls()).toBe(5);
  advanceSeconds(1);
  expect(await attempt('ok')).toBe('ok');
  expect(await attempt('ok')).toBe('ok');
});

test('reports when to retry while the circuit is open', async () => {
  const { attempt, breaker, advanceSeconds } = setUp();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  advanceSeconds(12);
  await expect(breaker.run(() => Promise.resolve('ok'))).rejects.toMatchObject({
    retryAfterSeconds: 18,
    mayHaveArrived: false,
  });
});

test('lets one message through when half open, and rejects other messages at once', async () => {
  const { breaker, attempt, advanceSeconds } = setUp();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  advanceSeconds(30);
  const { promise, resolve } = Promise.withResolvers<string>();
  const probe = breaker.run(() => promise);
  expect(await attempt('ok')).toContain('circuit is open');
  resolve('ok');
  expect(await probe).toBe('ok');
  expect(await attempt('ok')).toBe('ok');
});

test('opens for another 30 seconds if the trial fails', async () => {
  const { attempt, advanceSeconds } = setUp();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  advanceSeconds(30);
  expect(await attempt('unavailable')).toContain('unavailable: x');
  advanceSeconds(29);
  expect(await attempt('ok')).toContain('circuit is open');
});

test('a success resets the count, and a rejected number does not count as a failure of the gateway', async () => {
  const { attempt } = setUp();
  for (let round = 0; round < 20; round += 1) {
    for (let failure = 0; failure < 4; failure += 1) await attempt('unavailable');
    await attempt(round % 2 === 0 ? 'ok' : 'invalid-recipient');
  }
  expect(await attempt('ok')).toBe('ok');
});
