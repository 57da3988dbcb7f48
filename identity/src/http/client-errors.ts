import type { Log } from '../lib/log.ts';
import type { Socket } from 'node:net';
import { errorCatalogue } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';

/**
 * Handles requests that Node cannot parse (malformed headers, or too many of them). They never reach a route, so the
 * response is written to the socket here, with the same headers and body format.
 */
export function createClientErrorHandler(
  headers: Readonly<Record<string, string>>,
  log: Log,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The client has disconnected or is too slow, or part of a response has already been sent. A request that was too
    // slow gets no response: browsers open connections ahead of need, and would take a response to an idle one for that
    // of the request which they send at the same moment. On a closed connection they repeat it.
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
