import { escapeMarkup } from '../lib/escape-markup.ts';
import { regionalTags } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import type { Mail } from './messages.ts';
import { directionOf, isolated, textsIn } from '../texts/catalogue.ts';

/** A part of an e-mail. A `link` is a button in HTML; `rows` are pairs of name and value. */
export type MailBlock =
  | { text: string }
  | { link: string; label: string }
  | { rows: readonly [string, string][] };

/** The header and footer of an e-mail. */
export type MailFrame = {
  language: Locale;
  /** The application's name for the product. */
  productName?: string | undefined;
  /** The organisations of the account. */
  organisation?: string | undefined;
  /** The support page. */
  supportUrl?: string | undefined;
};

/** An e-mail without its recipient. */
export type MailContent = Omit<Mail, 'to'> & { html: string };

/** Renders an e-mail from one description as text, and as HTML with every value escaped. */
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

/** Uses tables for layout and inline styles, because mail clients support little else; the style element is only for dark mode. */
function asPage({ subject, blocks, footer, product, organisation, language }: Page): string {
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(subject)}</title>
<style>${darkStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#f4f1ea;">
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif;font-size:16px;line-height:1.5;text-align:start;overflow-wrap:anywhere;">
<tr><td class="ink" style="padding:0 8px 16px;color:#141b2b;">${letterhead(organisation, product)}</td></tr>
<tr><td class="surface ink" style="padding:24px;background:#ffffff;color:#141b2b;border:1px solid #e4dfd5;border-radius:16px;">
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600;">${escapeMarkup(subject)}</h1>
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

/** The organisation, which the recipient knows, before the product, which few recipients know. */
function letterhead(organisation: string | undefined, product: string): string {
  if (organisation === undefined) return `<strong>${escapeMarkup(product)}</strong>`;
  return `<bdi><strong>${escapeMarkup(organisation)}</strong></bdi><br><span class="soft" style="color:#4d5668;font-size:14px;">${escapeMarkup(product)}</span>`;
}

const darkStyle = `@media (prefers-color-scheme: dark){.paper{background:#0c111a!important}.surface{background:#171e2b!important;border-color:#2e384a!important}.ink{color:#eef0f4!important}.soft{color:#b2bac8!important}.link{color:#86cdd6!important}.button{background:#86cdd6!important;color:#0c111a!important}}`;

function asHtml(block: MailBlock): string {
  if ('text' in block) return `<p style="margin:0 0 16px;">${withLinks(block.text)}</p>`;
  if ('rows' in block)
    return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;">${block.rows
      .map(
        ([name, value]) =>
          `<tr><td class="soft" style="padding:4px 0;padding-inline-end:16px;color:#4d5668;vertical-align:top;overflow-wrap:normal;">${escapeMarkup(name)}</td><td style="padding:4px 0;font-weight:600;">${escapeMarkup(value)}</td></tr>`,
      )
      .join('')}</table>`;
  const href = escapeMarkup(block.link);
  return `<p style="margin:0 0 16px;"><a class="button" href="${href}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#14505c;color:#ffffff;font-weight:600;text-decoration:none;">${escapeMarkup(block.label)}</a></p>
<p class="soft" dir="ltr" style="margin:0 0 16px;color:#4d5668;font-size:14px;">${href}</p>`;
}

const address = /https?:\/\/[^\s<>"']+/g;

function withLinks(text: string): string {
  return escapeMarkup(text)
    .replaceAll('\n', '<br>')
    .replace(address, (url) => `<a class="link" href="${url}" style="color:#14505c;">${url}</a>`);
}

/** Returns the name as one line that does not affect the text direction of its surroundings. */
export function asName(name: string, language: Locale): string {
  return isolated(asLine(name), language);
}

/** Returns the name as one line, without line breaks and bidirectional controls. */
export function asLine(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** Date, time and zone in the conventions of the language, with 24-hour digits. */
export function asMoment(at: Date, language: Locale, timeZone: string): string {
  const format = (timeZoneName: 'short' | 'longGeneric'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(regionalTags[language], {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName,
      timeZone,
      hourCycle: 'h23',
      calendar: 'gregory',
      numberingSystem: 'latn',
    });
  const short = format('short');
  // Many languages have no short name for a zone, only "GMT+1", which few readers understand.
  const hasShortName = short
    .formatToParts(at)
    .every(({ type, value }) => type !== 'timeZoneName' || !/\d/.test(value));
  return asName((hasShortName ? short : format('longGeneric')).format(at), language);
}
