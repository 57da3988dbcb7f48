import type { FastifyInstance } from 'fastify';
import type { Database } from '../store/schema.ts';
import { findCode, findLinks, renderOutboxPage } from './outbox-page.ts';
import { outboxScript } from './outbox-script.ts';
import { findOutboxHtml, listOutbox } from './outbox-store.ts';
import { outboxStyle } from './outbox-style.ts';

/** The outbox as a page (`/dev/outbox`) and as JSON (`/dev/outbox/messages?to=…`). */
export function registerOutbox(app: FastifyInstance, database: Database): void {
  app.get('/dev/outbox', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderOutboxPage(await listOutbox(database))),
  );
  app.get('/dev/outbox.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(outboxStyle));
  app.get('/dev/outbox.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(outboxScript),
  );
  app.get<{ Params: { id: string } }>('/dev/outbox/mails/:id', async (request, reply) => {
    const html = await findOutboxHtml(database, request.params.id);
    if (html === undefined) return reply.callNotFound();
    // allows the mail's inline styles, but no scripts or requests
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(html);
  });
  app.get<{ Querystring: { to?: unknown } }>('/dev/outbox/messages', async (request) => {
    const { to } = request.query;
    const messages = await listOutbox(database);
    return {
      messages: messages
        .filter((message) => to === undefined || message.to === to)
        .map((message) => ({ ...message, code: findCode(message.text), links: findLinks(message.text) })),
    };
  });
}
