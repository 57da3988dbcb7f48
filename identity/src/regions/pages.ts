import type { Locale } from '@anteroom/contract';
import { pageStyles, pageStylesHash } from './page-styles.ts';
import { pageWords } from './page-words.ts';

/** A page of the way between two regions, with the headers that differ from every other page's. */
export type RegionPage = { html: string; headers: Readonly<Record<string, string>> };

export const handOverScriptPath = '/regions/hand-over.js';
/** A form that is there is sent. Without script its button does the same. */
export const handOverScript = "'use strict';\ndocument.forms[0]?.submit();\n";

/** A form that goes on by itself; what it carries stands in no address, so in no log, history or `Referer`. */
export type ForwardingForm = {
  action: string;
  fields: Readonly<Record<string, string>>;
  /** The sources of `form-action`: browsers hold the form to them through every redirect that answers it. */
  formAction: string;
};

/** `strict-origin` instead of `same-origin`, with which the form would come with `Origin: null`; the address stays here either way. */
export function drawForm({ action, fields, formAction }: ForwardingForm, locale: Locale): RegionPage {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeText(name)}" value="${escapeText(value)}">`,
  );
  const { button } = pageWords[locale];
  return draw(
    locale,
    `<form method="post" action="${escapeText(action)}">
${inputs.join('\n')}
<button type="submit">${escapeText(button)}</button>
</form>
<script src="${handOverScriptPath}"></script>`,
    { formAction, script: "'self'" },
  );
}

/** Carries a signed word to another region. */
export function drawHandOver(region: string, word: string, locale: Locale): RegionPage {
  return drawForm({ action: `${region}/regions/arrive`, fields: { word }, formAction: region }, locale);
}

/**
 * Goes on to the application. A redirect would not do: browsers hold the form's page to its `form-action` through every redirect
 * that answers the form.
 */
export function drawOnward(address: string, locale: Locale): RegionPage {
  const { button } = pageWords[locale];
  return draw(locale, `<p><a href="${escapeText(address)}">${escapeText(button)}</a></p>`, {
    head: `<meta http-equiv="refresh" content="0; url=${escapeText(address)}">`,
  });
}

function draw(
  locale: Locale,
  content: string,
  { formAction = "'none'", script = "'none'", head = '' },
): RegionPage {
  const { title, text } = pageWords[locale];
  const direction = locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr';
  return {
    html: `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<title>${escapeText(title)}</title><style>${pageStyles}</style></head>
<body>
<main>
<h1>${escapeText(title)}</h1>
<p>${escapeText(text)}</p>
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

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
