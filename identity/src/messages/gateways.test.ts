import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { Sender, Sms } from './messages.ts';
import { createTwilioSms, createWebhookSms } from './sms-gateways.ts';

const sms = {
  id: 'message-1',
  to: '+442079460142',
  text: '482913 is your sign-in code.\n\n@id.example #482913',
};

let gateway: FakeGateway;
beforeAll(async () => {
  gateway = await startFakeGateway();
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.requests.length = 0;
  gateway.behave({ status: 202 });
});

const webhook = (): Sender<Sms> => createWebhookSms({ url: `${gateway.url}/sms`, token: 'hook-token' });
const twilio = (from = '+15005550006'): Sender<Sms> =>
  createTwilioSms({ baseUrl: gateway.url, accountSid: 'AC0123456789', authToken: 'twilio-token', from });

const failureOf = async (sending: Promise<void>): Promise<DeliveryError> => {
  const failure: unknown = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof DeliveryError)) throw new Error('it was delivered', { cause: failure });
  return failure;
};

test('the webhook receives the message as JSON, with its token and an idempotency key', async () => {
  await webhook().send(sms);
  const [request] = gateway.requests;
  expect(request).toMatchObject({
    path: '/sms',
    headers: { authorization: 'Bearer hook-token', 'idempotency-key': 'message-1' },
  });
  expect(JSON.parse(request?.body ?? '')).toEqual(sms);
});

test('Twilio receives the message in the format of its Messages resource', async () => {
  gateway.behave({ status: 201, body: '{"sid":"SM1"}' });
  await twilio().send(sms);
  const [request] = gateway.requests;
  expect(request).toMatchObject({
    path: '/2010-04-01/Accounts/AC0123456789/Messages.json',
    headers: {
      authorization: `Basic ${Buffer.from('AC0123456789:twilio-token').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    To: sms.to,
    From: '+15005550006',
    Body: sms.text,
    ValidityPeriod: '600',
  });
  await twilio('MG0123456789').send(sms);
  expect(new URLSearchParams(gateway.requests[1]?.body).get('MessagingServiceSid')).toBe('MG0123456789');
});

test('only a rejected number is an invalid recipient at Twilio; other rejections are not', async () => {
  gateway.behave({ status: 400, body: '{"code":21211,"message":"The \'To\' number +44… is not valid"}' });
  expect(await failureOf(twilio().send(sms))).toMatchObject({ failure: 'invalid-recipient' });
  gateway.behave({ status: 400, body: '{"code":21606}' });
  expect(await failureOf(twilio().send(sms))).toMatchObject({ failure: 'refused' });
  gateway.behave({ status: 401, body: '<html>not JSON' });
  expect(await failureOf(twilio().send(sms))).toMatchObject({ failure: 'refused' });
});

describe.each([
  ['webhook', webhook],
  ['Twilio', twilio],
] as const)('%s', (_name, create) => {
  test.each([500, 502, 503])(
    'a message is not repeated after a %i, because it may have been sent',
    async (status) => {
      gateway.behave({ status, body: 'oops' });
      expect(await failureOf(create().send(sms))).toMatchObject({
        failure: 'unavailable',
        mayHaveArrived: true,
      });
      expect(gateway.requests).toHaveLength(1);
    },
  );

  test('a message is not repeated after a gateway accepts it and closes the connection', async () => {
    gateway.behave('reset');
    expect(await failureOf(create().send(sms))).toMatchObject({
      failure: 'unavailable',
      mayHaveArrived: true,
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test('a gateway’s Retry-After is respected', async () => {
    gateway.behave({ status: 429, headers: { 'retry-after': '17' } });
    expect(await failureOf(create().send(sms))).toMatchObject({
      failure: 'unavailable',
      mayHaveArrived: false,
      retryAfterSeconds: 17,
    });
  });

  test('a redirect is not followed, because it would send the code elsewhere', async () => {
    gateway.behave({ status: 307, headers: { location: `${gateway.url}/elsewhere` } });
    expect(await failureOf(create().send(sms))).toMatchObject({ failure: 'unavailable' });
    expect(gateway.requests).toHaveLength(1);
  });

  test('the error of a rejection contains neither the message, nor the number, nor the token', async () => {
    for (const behaviour of [
      { status: 400, body: sms.text },
      { status: 500, body: sms.to },
      'reset',
    ] as const) {
      gateway.behave(behaviour);
      const { message, cause } = await failureOf(create().send(sms));
      expect(`${message} ${String(cause)}`).not.toMatch(/482913|79460142|hook-token|twilio-token/);
    }
  });
});

test('a gateway that does not respond times out', async () => {
  gateway.behave('hang');
  expect(await failureOf(webhook().send(sms))).toMatchObject({
    failure: 'unavailable',
    mayHaveArrived: true,
  });
});

test('an error states that the message was not sent if the gateway is unreachable or has an invalid certificate', async () => {
  const plain = createServer((socket) => socket.end('no TLS here\r\n\r\n'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  const broken = createWebhookSms({ url: `https://127.0.0.1:${port}/sms`, token: undefined });
  expect(await failureOf(broken.send(sms))).toMatchObject({ failure: 'unavailable', mayHaveArrived: false });
  plain.close();

  const gone = createWebhookSms({ url: `http://127.0.0.1:${port}/sms`, token: undefined });
  expect(await failureOf(gone.send(sms))).toMatchObject({ failure: 'unavailable', mayHaveArrived: false });
});
