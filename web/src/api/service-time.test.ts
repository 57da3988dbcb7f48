import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { timingOf } from './failures.ts';
import { serviceTime } from './service-time.ts';

const answer = (date?: string): Response => new Response(null, date ? { headers: { Date: date } } : {});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test.each(['2001-01-01T00:00:00Z', '2028-02-29T12:00:00Z', '2099-12-31T23:59:59Z'])(
  'a visitor’s clock of %s does not change the service’s time',
  (wrong) => {
    vi.setSystemTime(new Date(wrong));
    timingOf(answer('Thu, 26 Nov 2026 13:00:00 GMT'));
    vi.advanceTimersByTime(90_000);
    expect(serviceTime()).toBe('2026-11-26T13:01:30.000Z');
    vi.setSystemTime(new Date('1999-01-01T00:00:00Z'));
    expect(serviceTime()).toBe('2026-11-26T13:01:30.000Z');
  },
);

test('an answer without a valid Date keeps the time of the last one [2.69]', () => {
  timingOf(answer('Thu, 26 Nov 2026 13:00:00 GMT'));
  timingOf(answer());
  timingOf(answer('yesterday'));
  expect(serviceTime()).toBe('2026-11-26T13:00:00.000Z');
});
