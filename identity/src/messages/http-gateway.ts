import { DeliveryError, codeOfFailedFetch } from '../lib/delivery-error.ts';
import { gatewayTimeoutMs } from './messages.ts';

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

/** Errors before the request is sent: the message certainly has not arrived. */
const beforeSending =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO)/;

/**
 * Sends one POST, without retries or redirects (a redirect would send the message elsewhere). Returns 2xx and 4xx
 * responses.
 * @throws DeliveryError `unavailable` for everything else, at the latest after `gatewayTimeoutMs`
 */
export async function postToGateway({ url, headers, body, signal }: GatewayRequest): Promise<GatewayAnswer> {
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
