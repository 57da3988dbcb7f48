import type { Call, CallAnswer } from '@anteroom/contract';
import { languageOf } from '@anteroom/identity/http/language';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findStaticFile } from '../static-files.ts';
import { statusOf } from './script.ts';
import type { AnyReply } from './script.ts';

export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
  reply: AnyReply,
): void {
  if (reply.isCut) {
    response.destroy();
    return;
  }
  if (reply.isCutHalfway) {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
    response.write('{"status":', () => response.destroy());
    return;
  }
  if (reply.retryAfterSeconds !== undefined) response.setHeader('Retry-After', reply.retryAfterSeconds);
  if (reply.rawBody !== undefined)
    return send(response, reply.rawStatus ?? 200, 'application/json', reply.rawBody);
  if (reply.error) {
    const { code, description: text, policyLine } = reply.error;
    const description = typeof text === 'function' ? text(languageOf(request.headers)) : text;
    // Undefined members are omitted in the JSON.
    return sendJson(response, statusOf(reply.error), { code, description, policyLine });
  }
  const { answer } = reply;
  if (call.kind === 'empty' || answer === undefined) return send(response, 204, undefined, undefined);
  if (call.kind === 'redirect') {
    const { location } = answer as CallAnswer<'getExternalRedirect'>;
    return (request.headers.accept ?? '').includes('text/plain')
      ? send(response, 200, 'text/plain; charset=utf-8', location)
      : sendRedirect(response, location);
  }
  if (typeof answer === 'string')
    return send(response, 200, call.kind === 'xml' ? 'application/xml' : 'text/plain; charset=utf-8', answer);
  return sendJson(response, 200, answer);
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string | undefined,
  content: string | Buffer | undefined,
): void {
  if (contentType) response.setHeader('Content-Type', contentType);
  response.writeHead(status).end(content);
}

export function sendText(response: ServerResponse, contentType: string, content: string, status = 200): void {
  send(response, status, contentType, content);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

export function sendRedirect(response: ServerResponse, location: string): void {
  response.setHeader('Location', location);
  send(response, 302, undefined, undefined);
}

export function sendFile(request: IncomingMessage, response: ServerResponse, path: string): void {
  const file = findStaticFile(path, /\bbr\b/.test(String(request.headers['accept-encoding'] ?? '')));
  if (!file) return send(response, 404, 'text/plain; charset=utf-8', 'There is no such file.');
  if (file.contentEncoding) response.setHeader('Content-Encoding', file.contentEncoding);
  return send(response, file.status, file.contentType, file.content);
}

/** A page of a third party that starts or ends a flow. */
export function sendPage(response: ServerResponse, path: string): void {
  // A response without content keeps the browser on its page, as a download does.
  if (path.startsWith('/no-content')) return send(response, 204, undefined, undefined);
  const title = `Another place: ${path.replaceAll(/[<>&]/g, '')}`;
  send(
    response,
    200,
    'text/html; charset=utf-8',
    `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1></main></html>`,
  );
}
