import type { Socket } from 'node:net';
import type { ErrorCode } from '@anteroom/contract';
import { errorCatalogue } from '@anteroom/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../lib/log.ts';
import { databaseRetryAfterSeconds, isDatabaseUnavailable } from '../store/unavailable.ts';
import { ContractError } from './errors.ts';
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

/**
 * Handles requests that Node cannot parse (malformed headers, or too many of them). They never reach a route, so the
 * response is written to the socket here, with the same headers and body format.
 */
export function createClientErrorHandler(
  headers: Readonly<Record<string, string>>,
  log: Log,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The client has disconnected or is too slow, or part of a response has already been sent. A connection that was
    // too slow gets no response: browsers open connections in advance, and could take the response for that of a
    // request which they send at the same moment. If the connection closes without a response, they repeat the request.
    const isOver = error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isOver || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const code = codeOf(error.code);
    log.info({ code, reason: error.code }, 'a request could not be parsed');
    const body = JSON.stringify({ code });
    const lines = [
      `HTTP/1.1 ${statusLineOf(code)}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      `Date: ${new Date().toUTCString()}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}

type Unreadable = Extract<ErrorCode, 'headers_too_large' | 'validation_failed'>;

function codeOf(reason: string | undefined): Unreadable {
  return reason === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'validation_failed';
}

function statusLineOf(code: Unreadable): string {
  const { status } = errorCatalogue[code];
  return `${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`;
}
