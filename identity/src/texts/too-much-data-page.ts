import type { Locale } from '@anteroom/contract';
import { escapeMarkup } from '../lib/escape-markup.ts';
import { directionOf, textsIn } from './catalogue.ts';

/** The page for a browser whose request has more data than the service accepts, usually cookies. */
export function renderTooMuchData(locale: Locale): string {
  const { title, text } = textsIn(locale).tooMuchDataPage;
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(title)}</title>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(text)}</p>
</html>
`;
}
