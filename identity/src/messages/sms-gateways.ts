import * as v from 'valibot';
import { DeliveryError, codeOfFailedFetch } from '../lib/delivery-error.ts';
import { gatewayTimeoutMs } from './messages.ts';
import type { Sender, Sms } from './messages.ts';

export type GatewayRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Default: a timeout of `gatewayTimeoutMs`. */
  signal?: AbortSignal | undefined;
};

export type GatewayAnswer = {
  status: number;
  /** The JSON body of a rejection, limited in size; undefined for anything else. */
  json: unknown;
};

/** The maximum that is read of a rejection's body. */
const refusalMaximumLength = 16 * 1024;

/** Errors that occur before the request is sent, so the message certainly has not arrived. */
const beforeSending =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO)/;

/**
 * Sends one POST, without retries or redirects (a redirect would send the message elsewhere). Returns 2xx and 4xx
 * responses.
 * @throws DeliveryError `unavailable` for everything else, at the latest after `gatewayTimeoutMs`
 */
async function postToGateway({ url, headers, body, signal }: GatewayRequest): Promise<GatewayAnswer> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: signal ?? AbortSignal.timeout(gatewayTimeoutMs),
    });
  } catch (error) {
    const code = codeOfFailedFetch(error);
    throw new DeliveryError('unavailable', `no answer (${code})`, {
      mayHaveArrived: !beforeSending.test(code),
    });
  }
  const { status } = response;
  if (status >= 400 && status < 500 && status !== 429) return { status, json: await readRefusal(response) };
  await response.body?.cancel().catch(() => undefined);
  if (status >= 200 && status < 300) return { status, json: undefined };
  throw new DeliveryError('unavailable', `the gateway answered ${status}`, {
    mayHaveArrived: status >= 500,
    retryAfterSeconds: retryAfterOf(response),
  });
}

async function readRefusal(response: Response): Promise<unknown> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return undefined;
  try {
    const decoder = new TextDecoder();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      if (text.length > refusalMaximumLength) return undefined;
    }
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function retryAfterOf(response: Response): number | undefined {
  const value = response.headers.get('retry-after') ?? '';
  return /^\d{1,4}$/.test(value) ? Number(value) : undefined;
}

type TwilioSettings = {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the id of a messaging service (`MG…`). */
  from: string;
};

const twilioRefusal = v.object({ code: v.number() });

/** "Invalid 'To' number", "not a mobile number", "not a valid phone number" and similar codes in Twilio's error dictionary. */
const invalidNumberCodes = new Set([21211, 21214, 21217, 21401, 21421, 21614]);

/** Twilio discards a message that it cannot deliver within this time, because a late code only confuses. */
const validitySeconds = 600;

/** Sends text messages through Twilio's Messages resource (API 2010-04-01), with plain HTTPS calls. */
export function createTwilioSms({ baseUrl, accountSid, authToken, from }: TwilioSettings): Sender<Sms> {
  const url = `${baseUrl.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    async send({ to, text }, signal) {
      const answer = await postToGateway({
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
        body: new URLSearchParams({
          To: to,
          [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
          Body: text,
          ValidityPeriod: String(validitySeconds),
        }).toString(),
        signal,
      });
      if (answer.status < 300) return;
      const code = v.is(twilioRefusal, answer.json) ? answer.json.code : undefined;
      throw new DeliveryError(
        code !== undefined && invalidNumberCodes.has(code) ? 'invalid-recipient' : 'refused',
        `Twilio answered ${answer.status}${code === undefined ? '' : ` with the code ${code}`}`,
      );
    },
  };
}

type WebhookSettings = { url: string; token: string | undefined };

const webhookRefusal = v.object({ code: v.literal('invalid_number') });

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
      const failure = v.is(webhookRefusal, answer.json) ? 'invalid-recipient' : 'refused';
      throw new DeliveryError(failure, `the webhook answered ${answer.status}`);
    },
  };
}
