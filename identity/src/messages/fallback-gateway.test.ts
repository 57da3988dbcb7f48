import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { Behaviour, FakeGateway } from '../../testing/fake-gateway.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import { createMessages } from './create-messages.ts';

let first: FakeGateway;
let second: FakeGateway;
let store: Awaited<ReturnType<typeof openTestDatabase>>;
let counted: string[] = [];

beforeAll(async () => {
  [first, second, store] = await Promise.all([startFakeGateway(), startFakeGateway(), openTestDatabase()]);
});
afterAll(() => Promise.all([first.close(), second.close(), store.close()]));
beforeEach(() => {
  for (const gateway of [first, second]) {
    gateway.requests.length = 0;
    gateway.behave({ status: 202 });
  }
  counted = [];
});

const sms = { to: '+442079460142', text: '482913 is your sign-in code.' };

function createSms(firstUrl = first.url) {
  return createMessages({
    config: {
      messages: {
        sms: { kind: 'webhook', url: `${firstUrl}/sms`, token: undefined },
        smsFallback: { kind: 'webhook', url: `${second.url}/sms`, token: 'second-token' },
        mail: { kind: 'none' },
        timeZone: 'UTC',
      },
    },
    database: store.database,
    clock: movableClock(),
    random: secureRandom,
    noteBounces: (sender) => sender,
    count: (kind, outcome, gateway) => counted.push(`${kind} ${outcome} ${gateway}`),
  }).sms;
}

test('the fallback gateway gets no message while the primary accepts messages', async () => {
  await createSms().send(sms);
  expect(first.requests).toHaveLength(1);
  expect(second.requests).toHaveLength(0);
  expect(counted).toEqual(['sms sent first']);
});

test.each<[string, Behaviour]>([
  ['rejects the credentials', { status: 401 }],
  ['responds with 429', { status: 429 }],
])('the fallback gateway sends a message if the primary %s', async (_what, behaviour) => {
  first.behave(behaviour);
  await createSms().send(sms);
  expect(second.requests).toMatchObject([
    { path: '/sms', headers: { authorization: 'Bearer second-token' } },
  ]);
  expect(JSON.parse(second.requests[0]?.body ?? '')).toMatchObject(sms);
  expect(counted.at(-1)).toBe('sms sent fallback');
});

test('the fallback gateway sends a message if the primary is unreachable', async () => {
  const gone = await startFakeGateway();
  await gone.close();
  await createSms(gone.url).send(sms);
  expect(second.requests).toHaveLength(1);
});

test.each<[string, Behaviour]>([
  ['lost its connection after it was sent', 'reset'],
  ['got a 500 response', { status: 500 }],
])('a message that %s is not sent again', async (_what, behaviour) => {
  first.behave(behaviour);
  await expect(createSms().send(sms)).rejects.toMatchObject({ mayHaveArrived: true });
  expect(first.requests).toHaveLength(1);
  expect(second.requests).toHaveLength(0);
});

test('after two lost responses the fallback gateway gets all messages', async () => {
  first.behave({ status: 500 });
  const { send } = createSms();
  await expect(send(sms)).rejects.toThrow('unavailable');
  await expect(send(sms)).rejects.toThrow('unavailable');
  await send(sms);
  expect(first.requests).toHaveLength(2);
  expect(second.requests).toHaveLength(1);
});

test('a number that the primary rejects as invalid is not tried at the fallback gateway', async () => {
  first.behave({ status: 422, body: '{"code":"invalid_number"}' });
  await expect(createSms().send(sms)).rejects.toMatchObject({ failure: 'invalid-recipient' });
  expect(second.requests).toHaveLength(0);
});

test('failures of both gateways are reported as one failure', async () => {
  first.behave({ status: 401 });
  second.behave({ status: 401 });
  await expect(createSms().send(sms)).rejects.toMatchObject({ failure: 'refused', mayHaveArrived: false });
  expect(counted).toEqual(['sms refused first', 'sms refused fallback']);
});
