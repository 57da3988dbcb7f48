import * as v from 'valibot';
import { DeliveryError } from '../lib/delivery-error.ts';
import { postToGateway } from './http-gateway.ts';
import type { Sender, Sms } from './messages.ts';

export type WebhookSettings = { url: string; token: string | undefined };

const refusal = v.object({ code: v.literal('invalid_number') });

/**
 * Sends text messages through the operator's gateway: POST `{ id, to, text }`, and any 2xx means accepted.
 * `Idempotency-Key` repeats the id. A 4xx with the body `{ "code": "invalid_number" }` means that the number is
 * invalid.
 */
export function createWebhookSms({ url, token }: WebhookSettings): Sender<Sms> {
  return {
    async send({ id, to, text }, signal) {
      const answer = await postToGateway({
        url,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ id, to, text }),
        signal,
      });
      if (answer.status < 300) return;
      const failure = v.is(refusal, answer.json) ? 'invalid-recipient' : 'refused';
      throw new DeliveryError(failure, `the webhook answered ${answer.status}`);
    },
  };
}
