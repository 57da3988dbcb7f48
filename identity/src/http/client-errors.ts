import type { Log } from '../lib/log.ts';
import type { Socket } from 'node:net';
import { errorCatalogue } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';

/**
 * Requests that Node itself cannot read (broken headers, too many of them, too slow) never reach a route: their answer is
 * written to the socket here, with the same headers and a body of the same shape.
 */
export function createClientErrorHandler(
  headers: Readonly<Record<string, string>>,
  log: Log,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The client is gone, or part of an answer is already on its way: there is nobody to tell anything.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const code = codeOf(error.code);
    log.info({ code, reason: error.code }, 'a request could not be read');
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
