import { escapeMarkup } from '../lib/escape-markup.ts';
import type { Locale } from '@anteroom/contract';
import { directionOf, textsIn } from './catalogue.ts';
import { createHash } from 'node:crypto';

/**
 * Styles for a page that takes the visitor to another server, which visitors without JavaScript see until they continue. Sizes and
 * colours match the front end (`web/src/ui/tokens.css`). The styles are inline to save a request, because most visitors
 * see the page only briefly.
 */
const pageStyles = `
:root{color-scheme:light dark;--paper:#f4f1ea;--surface:#fff;--ink:#141b2b;--ink-soft:#4d5668;--accent:#14505c;--on-accent:#fff;--edge:transparent}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0c111a;--surface:#171e2b;--ink:#eef0f4;--ink-soft:#b2bac8;--accent:#86cdd6;--on-accent:#05222a;--edge:#2e384a}}
*{box-sizing:border-box}
body{margin:0;min-block-size:100vh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif}
:lang(ja) body,:lang(zh) body{line-height:1.6}
:lang(ar) body{font-size:1.0625rem;line-height:1.7}
main{inline-size:100%;max-inline-size:470px;padding:2rem;border:1px solid var(--edge);border-radius:1rem;background:var(--surface)}
h1{margin:0;font-size:1.625rem;font-weight:600;line-height:1.3}
p{margin:.5rem 0 1.5rem;color:var(--ink-soft)}
main>:last-child{margin-block-end:0}
button,a{display:inline-flex;align-items:center;min-block-size:3rem;padding:.5rem 1.5rem;border:1px solid transparent;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

/** The hash of the styles for the content security policy. */
const pageStylesHash = `sha256-${createHash('sha256').update(pageStyles).digest('base64')}`;

/** A page that takes the visitor to another server, with the headers that differ from those of other pages. */
export type ForwardingPage = { html: string; headers: Readonly<Record<string, string>> };

export const formScriptPath = '/forwarding-form.js';
/** Submits the form of the page. Without JavaScript, the visitor presses its button. */
export const formScript = "'use strict';\ndocument.forms[0]?.submit();\n";

/**
 * A self-submitting form. Its fields are not part of a URL, so they do not appear in logs, the history or `Referer`.
 */
export type ForwardingForm = {
  action: string;
  fields: Readonly<Record<string, string>>;
  /** The sources of `form-action`: browsers apply them to every redirect that follows the form. */
  formAction: string;
};

/** Uses `strict-origin`, because the browser sends `Origin: null` with `same-origin`. Neither policy reveals the page's URL. */
export function renderForm({ action, fields, formAction }: ForwardingForm, locale: Locale): ForwardingPage {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
  );
  const { button } = textsIn(locale).forwardingPage;
  return render(
    locale,
    'toSignIn',
    `<form method="post" action="${escapeMarkup(action)}">
${inputs.join('\n')}
<button type="submit">${escapeMarkup(button)}</button>
</form>
<script src="${formScriptPath}"></script>`,
    { formAction, script: "'self'" },
  );
}

/**
 * Renders a page that continues to the application. A redirect would be blocked: browsers apply the `form-action` of
 * the form's page to every redirect that follows the form.
 */
export function renderForward(address: string, locale: Locale): ForwardingPage {
  const { button } = textsIn(locale).forwardingPage;
  const link = `<p><a href="${escapeMarkup(address)}">${escapeMarkup(button)}</a></p>`;
  const head = `<meta http-equiv="refresh" content="0; url=${escapeMarkup(address)}">`;
  return render(locale, 'toApplication', link, { head });
}

function render(
  locale: Locale,
  destination: 'toSignIn' | 'toApplication',
  content: string,
  { formAction = "'none'", script = "'none'", head = '' },
): ForwardingPage {
  const { title, [destination]: text } = textsIn(locale).forwardingPage;
  return {
    html: `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<title>${escapeMarkup(title)}</title><style>${pageStyles}</style></head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(text)}</p>
${content}
</main>
</body>
</html>
`,
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        `script-src ${script}`,
        `style-src '${pageStylesHash}'`,
        `form-action ${formAction}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
      'referrer-policy': 'strict-origin',
      'content-type': 'text/html; charset=utf-8',
    },
  };
}
