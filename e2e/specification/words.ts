import { readFileSync } from 'node:fs';

const folder = new URL('../../web/public/assets/i18n/', import.meta.url);

/** What the page says under a key of the specification, as an expression; a placeholder without a value stands for anything. */
export function words(key: string, values: Record<string, string | number> = {}, locale = 'en'): RegExp {
  const said = wordsOf(key, locale)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
  const escaped = said.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\{.*?\}\}/g, '.*');
  return new RegExp(escaped.replaceAll(/\s+/g, String.raw`\s+`));
}

function wordsOf(key: string, locale: string): string {
  const file: unknown = JSON.parse(readFileSync(new URL(`${locale}-1.21.0.json`, folder), 'utf8'));
  const found = key.split('.').reduce<unknown>(memberOf, file);
  // one text for each grammatical number: the general one is meant
  const said = typeof found === 'string' ? found : memberOf(found, 'other');
  if (typeof said !== 'string') throw new Error(`${locale} has no text for ${key}.`);
  return said;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
