import type { FastifyInstance } from 'fastify';
import { escapeMarkup } from '../lib/escape-markup.ts';
import type { Database } from '../store/schema.ts';
import type { OutboxMessage } from './outbox-store.ts';
import { findOutboxHtml, listOutbox } from './outbox-store.ts';

/** Serves the outbox as a page (`/dev/outbox`) and as JSON (`/dev/outbox/messages?to=…`). */
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

/** The last line of a text message, which binds its code to a host. */
const boundCode = /^@\S+ #(\d{4,10})$/m;
const link = /https?:\/\/[^\s<>"']+/g;

/** Finds the one-time code of a message. */
export function findCode(text: string): string | undefined {
  return boundCode.exec(text)?.[1];
}

/** Finds the links of a message. */
function findLinks(text: string): string[] {
  return text.match(link) ?? [];
}

/**
 * The outbox page: plain HTML with its style and script in files, for the content security policy; it works without
 * the script. Hooks for automated tests: `[data-message="sms|mail"]` with `data-to`, and in it `[data-code]` and
 * `[data-link]`.
 */
export function renderOutboxPage(messages: readonly OutboxMessage[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Outbox · Anteroom</title>
<link rel="icon" href="/ui/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/dev/outbox.css">
<script src="/dev/outbox.js" defer></script>
</head>
<body>
<main>
<header>
<h1>Outbox</h1>
<p>Messages that would have been sent, newest first. Kept for a day, outside production only.</p>
<p class="state">New messages appear here by themselves. <span role="status" data-news></span></p>
</header>
${messages.length === 0 ? emptyNote : ''}
<ol data-messages>
${messages.map(renderMessage).join('\n')}
</ol>
</main>
</body>
</html>
`;
}

const emptyNote =
  '<p class="empty" data-empty>Nothing yet. Sign in as a user with a second factor to see a code here.</p>';

function renderMessage({ id, kind, to, subject, text, html, createdAt }: OutboxMessage): string {
  const code = findCode(text);
  const at = createdAt.toISOString();
  return `<li><article data-message="${kind}" data-to="${escapeMarkup(to)}" id="${escapeMarkup(id)}">
<header>
<span class="kind">${kind === 'sms' ? 'Text message' : 'Mail'}</span>
<span class="to">to <bdi>${escapeMarkup(to)}</bdi></span>
<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>
</header>
${subject === undefined ? '' : `<h2 dir="auto" data-subject>${escapeMarkup(subject)}</h2>\n`}${
    code === undefined ? '' : `<p class="code"><code data-code>${code}</code></p>\n`
  }<p class="text" dir="auto" data-text>${withLinks(text)}</p>${
    html === undefined
      ? ''
      : `\n<p><a href="/dev/outbox/mails/${encodeURIComponent(id)}">As mail programs show it</a></p>`
  }
</article></li>`;
}

/** Escapes the text and turns its URLs into links. */
function withLinks(text: string): string {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(link)) {
    const address = escapeMarkup(match[0]);
    html += `${escapeMarkup(text.slice(from, match.index))}<a data-link href="${address}" rel="noreferrer">${address}</a>`;
    from = match.index + match[0].length;
  }
  return html + escapeMarkup(text.slice(from));
}

/**
 * Keeps the outbox page current: new messages are inserted at the top and existing elements stay in place, so that
 * focus, selection and scroll position are kept. XMLHttpRequest parses the fetched document, because Trusted Types
 * forbid `innerHTML`.
 */
const outboxScript = `
const everyMs = 2000;
const news = document.querySelector('[data-news]');

function readPage() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.timeout = 10000;
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject());
    request.onerror = request.ontimeout = () => reject();
    request.send();
  });
}

function addNew(page) {
  const items = [...page.querySelectorAll('[data-messages] > li')];
  const added = items.filter((item) => !document.getElementById(item.firstElementChild.id));
  if (added.length === 0) return;
  document.querySelector('[data-empty]')?.remove();
  const root = document.documentElement;
  const before = root.scrollHeight;
  document.querySelector('[data-messages]').prepend(...added.map((item) => document.importNode(item, true)));
  const count = added.length === 1 ? '1 new message' : added.length + ' new messages';
  news.textContent = count + ' at ' + new Date().toLocaleTimeString('en-GB');
  // keep the scroll position of the reader
  if (root.scrollTop > 0) root.scrollTop += root.scrollHeight - before;
}

async function refresh() {
  if (document.visibilityState === 'visible') {
    try {
      addNew(await readPage());
      document.body.removeAttribute('data-offline');
    } catch {
      document.body.setAttribute('data-offline', '');
    }
  }
  setTimeout(refresh, everyMs);
}
setTimeout(refresh, everyMs);
`;

/** Light and dark styles with the product's colours; the contrast is at least 4.5:1. */
const outboxStyle = `
:root {
  color-scheme: light dark;
  --paper: #f4f1ea; --surface: #fff; --ink: #141b2b; --ink-soft: #4d5668; --line: #e4dfd5; --accent: #14505c; --accent-soft: #e8f1f1;
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #0c111a; --surface: #171e2b; --ink: #eef0f4; --ink-soft: #b2bac8; --line: #2e384a; --accent: #86cdd6; --accent-soft: #1d333c; }
}
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--paper); color: var(--ink); line-height: 1.5;
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
}
main { max-inline-size: 44rem; margin-inline: auto; padding: 48px 20px; }
main > header { margin-block-end: 32px; }
[data-news] { color: var(--accent); font-weight: 600; }
[data-offline] .state { display: none; }
[data-offline] main > header::after { content: 'No connection to the service. The page tries again.'; display: block; margin-block-start: 8px; }
h1 { font-size: 1.625rem; font-weight: 600; line-height: 1.25; }
main > header p { color: var(--ink-soft); margin-block-start: 8px; }
ol { list-style: none; padding: 0; display: grid; gap: 16px; overflow-anchor: none; }
article, .empty { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 20px 24px; }
article header { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; color: var(--ink-soft); font-size: 0.875rem; }
.kind { color: var(--accent); font-weight: 600; }
.to { overflow-wrap: anywhere; }
time { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
h2 { font-size: 1.125rem; font-weight: 600; margin-block-start: 12px; }
.code { margin-block-start: 12px; }
.code code {
  display: inline-block; background: var(--accent-soft); color: var(--accent); border-radius: 8px; padding: 8px 16px;
  font: 600 1.625rem/1.25 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; letter-spacing: 0.12em; user-select: all;
}
.text { margin-block-start: 12px; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
@media (max-width: 440px) { main { padding: 24px 16px; } article, .empty { padding: 16px; } time { margin-inline-start: 0; } }
`;
