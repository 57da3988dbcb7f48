import type { Locale } from '@anteroom/contract';
import type { Mail } from './messages.ts';
import { isolated, isRightToLeft, textsIn } from './text-catalogue.ts';

/** One part of a mail. A `link` becomes a button in HTML; `rows` are names with their values. */
export type MailBlock =
  | { text: string }
  | { link: string; label: string }
  | { rows: readonly [string, string][] };

/** What stands around the parts. */
export type MailFrame = {
  language: Locale;
  /** The product, as its application calls it. */
  productName?: string | undefined;
  /** The organisations that the account belongs to. */
  organisation?: string | undefined;
  /** Where help is. */
  supportUrl?: string | undefined;
};

/** What a mail says, before it has an address. */
export type MailContent = Omit<Mail, 'to'> & { html: string };

/** Lays out a mail twice from one description: as text, and as HTML in which everything that somebody wrote is escaped. */
export function layOutMail(subject: string, blocks: readonly MailBlock[], frame: MailFrame): MailContent {
  const { language, productName = 'Anteroom', supportUrl } = frame;
  const organisation = frame.organisation === undefined ? undefined : asName(frame.organisation, language);
  const words = textsIn(language).mailFrame;
  const product = asLine(productName);
  const footer: MailBlock[] = [
    ...(organisation === undefined ? [] : [{ text: words.organisation({ name: organisation }) }]),
    ...(supportUrl === undefined ? [] : [{ text: words.support({ url: supportUrl }) }]),
  ];
  return {
    subject,
    text: `${[...blocks.map(asText), product, ...footer.map(asText)].join('\n\n')}\n`,
    html: asPage({ subject, blocks, footer, product, organisation, language }),
  };
}

function asText(block: MailBlock): string {
  if ('text' in block) return block.text;
  if ('link' in block) return `${block.label}\n${block.link}`;
  return block.rows.map(([name, value]) => `- ${name}: ${value}`).join('\n');
}

type Page = {
  subject: string;
  blocks: readonly MailBlock[];
  footer: readonly MailBlock[];
  product: string;
  organisation: string | undefined;
  language: Locale;
};

/** Tables carry the layout and styles are inline, because mail programs know little else; the style element is for dark colours alone. */
function asPage({ subject, blocks, footer, product, organisation, language }: Page): string {
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr';
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#f4f1ea;">
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif;font-size:16px;line-height:1.5;text-align:start;overflow-wrap:anywhere;">
<tr><td class="ink" style="padding:0 8px 16px;color:#141b2b;"><strong>${escapeHtml(product)}</strong>${
    organisation === undefined
      ? ''
      : `<br><bdi class="soft" style="color:#4d5668;">${escapeHtml(organisation)}</bdi>`
  }</td></tr>
<tr><td class="surface ink" style="padding:24px;background:#ffffff;color:#141b2b;border:1px solid #e4dfd5;border-radius:16px;">
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600;">${escapeHtml(subject)}</h1>
${blocks.map(asHtml).join('\n')}
</td></tr>
<tr><td class="soft" style="padding:16px 8px 0;color:#4d5668;font-size:14px;">${footer.map(asHtml).join('\n')}</td></tr>
</table>
</td></tr></table>
</main>
</body>
</html>
`;
}

const darkStyle = `@media (prefers-color-scheme: dark){.paper{background:#0c111a!important}.surface{background:#171e2b!important;border-color:#2e384a!important}.ink{color:#eef0f4!important}.soft{color:#b2bac8!important}.link{color:#86cdd6!important}.button{background:#86cdd6!important;color:#0c111a!important}}`;

function asHtml(block: MailBlock): string {
  if ('text' in block) return `<p style="margin:0 0 16px;">${withLinks(block.text)}</p>`;
  if ('rows' in block)
    return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;">${block.rows
      .map(
        ([name, value]) =>
          `<tr><td class="soft" style="padding:4px 0;padding-inline-end:16px;color:#4d5668;vertical-align:top;overflow-wrap:normal;">${escapeHtml(name)}</td><td style="padding:4px 0;font-weight:600;">${escapeHtml(value)}</td></tr>`,
      )
      .join('')}</table>`;
  const href = escapeHtml(block.link);
  return `<p style="margin:0 0 16px;"><a class="button" href="${href}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#14505c;color:#ffffff;font-weight:600;text-decoration:none;">${escapeHtml(block.label)}</a></p>`;
}

const address = /https?:\/\/[^\s<>"']+/g;

function withLinks(text: string): string {
  return escapeHtml(text)
    .replaceAll('\n', '<br>')
    .replace(address, (url) => `<a class="link" href="${url}" style="color:#14505c;">${url}</a>`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** A name on one line, which turns nothing around it. */
export function asName(name: string, language: Locale): string {
  return isolated(asLine(name), language);
}

/** One line, without characters that break lines or turn directions. */
export function asLine(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** British English, and Portuguese and Chinese as the page speaks them: those of Brazil and of mainland China. */
const regional: Partial<Record<Locale, string>> = { en: 'en-GB', pt: 'pt-BR', zh: 'zh-Hans' };

/** Date, time and zone as the language writes them, in the digits of a clock. */
export function asMoment(at: Date, language: Locale, timeZone: string): string {
  const moment = at.toLocaleString(regional[language] ?? language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
  });
  return asName(moment, language);
}
