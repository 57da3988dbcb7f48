import { STATUS_CODES } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode, Locale } from '@anteroom/contract';
import { errorCatalogue } from '@anteroom/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../lib/log.ts';
import { databaseRetryAfterSeconds, isDatabaseUnavailable } from '../store/unavailable.ts';
import { ContractError } from './errors.ts';
import { languageOf } from './language.ts';
import { isNavigation, rateLimitPage } from './page-addresses.ts';

/** The error codes for errors of the framework, by status. Any other thrown value becomes `internal_error`. */
const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'validation_failed',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'validation_failed',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
};

/** Converts any thrown value to a contract error. */
export function toContractError(error: unknown): ContractError {
  if (error instanceof ContractError) return error;
  if (isDatabaseUnavailable(error)) {
    return new ContractError('overloaded', {
      retryAfterSeconds: databaseRetryAfterSeconds,
      detail: 'the database is unavailable',
      cause: error,
    });
  }
  if (isFrameworkError(error)) {
    const code = codesByStatus[error.statusCode ?? 500];
    if (code !== undefined) return new ContractError(code, { detail: error.code, cause: error });
  }
  return new ContractError('internal_error', { cause: error });
}

/** The body of every 4xx and 5xx. */
export function errorBodyOf({ code, description, policyLine }: ContractError): {
  code: ErrorCode;
  description?: string;
  policyLine?: string;
} {
  return {
    code,
    ...(description !== undefined && { description }),
    ...(policyLine !== undefined && { policyLine }),
  };
}

/**
 * The only function that sends an error response. For a rate limit, navigations get a page and other requests get 429
 * with `Retry-After`.
 */
export async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const refusal = toContractError(error);
  const line = { code: refusal.code, ...(refusal.detail !== undefined && { detail: refusal.detail }) };
  const log: Log = request.log;
  if (refusal.code === 'internal_error') log.error({ ...line, err: refusal.cause }, 'unexpected failure');
  else if (refusal.status >= 500) log.warn({ ...line, err: refusal.cause }, 'refused');
  else log.info(line, 'refused');

  if (refusal.code === 'rate_limit_reached' && isNavigation(request.headers)) {
    await reply.redirect(rateLimitPage, 303);
    return;
  }
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(Math.ceil(refusal.retryAfterSeconds)));
  }
  await reply.code(refusal.status).type('application/json; charset=utf-8').send(errorBodyOf(refusal));
}

function isFrameworkError(error: unknown): error is FastifyError {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    'code' in error &&
    String(error.code).startsWith('FST_')
  );
}

/** Renders a page in a language; the layer of texts is above this one. */
export type RenderPage = (locale: Locale) => string;

/**
 * Handles requests that Node cannot parse (malformed headers, or too many of them). They never reach a route, so the
 * response is written to the socket here, with the same headers and body format.
 */
export function createClientErrorHandler(
  headers: Readonly<Record<string, string>>,
  log: Log,
  renderTooMuchData: RenderPage,
): (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket) => void {
  return (error, socket) => {
    // The client has disconnected or is too slow, or part of a response has already been sent. A connection that was
    // too slow gets no response: browsers open connections in advance, and could take the response for that of a
    // request which they send at the same moment. If the connection closes without a response, they repeat the request.
    const isOver = error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isOver || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'validation_failed';
    log.info({ code, reason: error.code }, 'a request could not be parsed');
    const page = code === 'headers_too_large' ? findPage(error.rawPacket, renderTooMuchData) : undefined;
    refuseOnSocket(socket, code, headers, page);
  };
}

/**
 * The page for a navigation of a browser, usually with too many cookies; undefined for other requests. Only the raw
 * bytes of the request exist, so the two headers that matter are searched in them.
 */
function findPage(received: unknown, render: RenderPage): string | undefined {
  const request = Buffer.isBuffer(received) ? received.toString('latin1') : '';
  if (!/^accept:[^\r\n]*text\/html/im.test(request)) return undefined;
  const [, accepted] = /^accept-language:([^\r\n]*)/im.exec(request) ?? [];
  return render(languageOf({ 'accept-language': accepted }));
}

/**
 * Sends an error response for a request that has not arrived completely, and closes the connection.
 * @param page HTML instead of the error as JSON
 */
export function refuseOnSocket(
  socket: Socket,
  code: ErrorCode,
  headers: OutgoingHttpHeaders,
  page?: string,
): void {
  const { status } = errorCatalogue[code];
  const body = page ?? JSON.stringify({ code });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${page === undefined ? 'application/json' : 'text/html'}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // The client may never close its side.
  socket.destroySoon();
}
