import { expect, test } from 'vitest';
import { DeliveryError } from './delivery-error.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const figures = { failuresToOpen: 5, openSeconds: 30 };

function world() {
  let nowMs = 0;
  let calls = 0;
  const breaker = createCircuitBreaker(figures, () => nowMs);
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

test('after 5 failures in a row the gateway is left alone for 30 seconds', async () => {
  const { attempt, calls, advanceSeconds } = world();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  expect(await attempt('ok')).toContain('left alone');
  advanceSeconds(29);
  expect(await attempt('ok')).toContain('left alone');
  expect(calls()).toBe(5);
  advanceSeconds(1);
  expect(await attempt('ok')).toBe('ok');
  expect(await attempt('ok')).toBe('ok');
});

test('whoever is refused learns when to come back', async () => {
  const { attempt, breaker, advanceSeconds } = world();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  advanceSeconds(12);
  await expect(breaker.run(() => Promise.resolve('ok'))).rejects.toMatchObject({
    retryAfterSeconds: 18,
    mayHaveArrived: false,
  });
});

test('half open, one message tries the gateway and nobody waits for it', async () => {
  const { breaker, attempt, advanceSeconds } = world();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  advanceSeconds(30);
  const { promise, resolve } = Promise.withResolvers<string>();
  const probe = breaker.run(() => promise);
  expect(await attempt('ok')).toContain('left alone');
  resolve('ok');
  expect(await probe).toBe('ok');
  expect(await attempt('ok')).toBe('ok');
});

test('a failing try leaves it alone for another 30 seconds', async () => {
  const { attempt, advanceSeconds } = world();
  for (let failure = 0; failure < 5; failure += 1) await attempt('unavailable');
  advanceSeconds(30);
  expect(await attempt('unavailable')).toContain('unavailable: x');
  advanceSeconds(29);
  expect(await attempt('ok')).toContain('left alone');
});

test('a success in between begins the count anew, and a number that is refused is no failure of the gateway', async () => {
  const { attempt } = world();
  for (let round = 0; round < 20; round += 1) {
    for (let failure = 0; failure < 4; failure += 1) await attempt('unavailable');
    await attempt(round % 2 === 0 ? 'ok' : 'invalid-recipient');
  }
  expect(await attempt('ok')).toBe('ok');
});
