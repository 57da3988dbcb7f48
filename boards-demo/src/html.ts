/** Escaped markup; only `html` creates it. */
export type Html = { readonly markup: string };

type Part = Html | string | number | undefined | readonly Html[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup with all values escaped, except for values created by `html`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts.map((text, index) => `${text}${toMarkup(parts[index])}`).join('');
  return { markup };
}

function toMarkup(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object')
    return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
