import type { OutboxMessage } from './outbox-store.ts';

/** The last line of a text message that binds its code to a host. */
const boundCode = /^@\S+ #(\d{4,10})$/m;
const link = /https?:\/\/[^\s<>"']+/g;

/** The one-time code of a message, where it has one. */
export function findCode(text: string): string | undefined {
  return boundCode.exec(text)?.[1];
}

/** The addresses that a message leads to. */
export function findLinks(text: string): string[] {
  return text.match(link) ?? [];
}

/**
 * The page of the outbox: plain HTML without script, with its style in a file, as the content policy wants it.
 * For whoever looks for a message: `[data-message="sms|mail"]` with `data-to`, and in it `[data-code]` and `[data-link]`.
 */
export function renderOutboxPage(messages: readonly OutboxMessage[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Outbox · Anteroom</title>
<link rel="stylesheet" href="/dev/outbox.css">
</head>
<body>
<main>
<header>
<h1>Outbox</h1>
<p>Messages that would have been sent, newest first. Kept for a day, outside production only. Reload the page for new ones.</p>
</header>
${messages.length === 0 ? emptyNote : `<ol>\n${messages.map(renderMessage).join('\n')}\n</ol>`}
</main>
</body>
</html>
`;
}

const emptyNote =
  '<p class="empty" data-empty>Nothing yet. Sign in as somebody with a second factor, and come back.</p>';

function renderMessage({ id, kind, to, subject, text, createdAt }: OutboxMessage): string {
  const code = findCode(text);
  const at = createdAt.toISOString();
  return `<li><article data-message="${kind}" data-to="${escapeHtml(to)}" id="${escapeHtml(id)}">
<header>
<span class="kind">${kind === 'sms' ? 'Text message' : 'Mail'}</span>
<span class="to">to <bdi>${escapeHtml(to)}</bdi></span>
<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>
</header>
${subject === undefined ? '' : `<h2 dir="auto" data-subject>${escapeHtml(subject)}</h2>\n`}${
    code === undefined ? '' : `<p class="code"><code data-code>${code}</code></p>\n`
  }<p class="text" dir="auto" data-text>${withLinks(text)}</p>
</article></li>`;
}

/** The text with its addresses as links; everything else in it is text. */
function withLinks(text: string): string {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(link)) {
    const address = escapeHtml(match[0]);
    html += `${escapeHtml(text.slice(from, match.index))}<a data-link href="${address}" rel="noreferrer">${address}</a>`;
    from = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(from));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
