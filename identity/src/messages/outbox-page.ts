import { escapeMarkup } from '../lib/escape-markup.ts';
import type { OutboxMessage } from './outbox-store.ts';

/** The last line of a text message, which binds its code to a host. */
const boundCode = /^@\S+ #(\d{4,10})$/m;
const link = /https?:\/\/[^\s<>"']+/g;

/** Finds the one-time code of a message. */
export function findCode(text: string): string | undefined {
  return boundCode.exec(text)?.[1];
}

/** Finds the links of a message. */
export function findLinks(text: string): string[] {
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
