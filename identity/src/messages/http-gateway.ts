import { DeliveryError } from '../lib/delivery-error.ts';
import { gatewayTimeoutMs } from './messages.ts';

export type GatewayRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Default: `gatewayTimeoutMs` from now. */
  signal?: AbortSignal | undefined;
};

export type GatewayAnswer = {
  status: number;
  /** The first part of a refusal's JSON body; undefined for anything else. */
  json: unknown;
};

/** More of a refusal is not read. */
const refusalMaximumLength = 16 * 1024;

/** What goes wrong before the request has left: nothing can have arrived then. */
const beforeSending =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO)/;

/**
 * One POST, never repeated, never redirected (a redirect would carry the message to somebody else).
 * Answers 2xx and refusals (4xx).
 * @throws DeliveryError `unavailable` for everything else, at the latest after `gatewayTimeoutMs`.
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
    const code = codeOf(error);
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

/** The error's code alone: its message may repeat the address with its secrets. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const cause = error.cause;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : error.name;
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
