import type { Locale } from '@anteroom/contract';
import { fetchMessages } from './locale-file.ts';
import type { FetchOptions } from './locale-file.ts';
import { directionOf } from './locales.ts';
import { storeLocale } from './locale-cookie.ts';
import { createTranslator } from './translator.ts';
import type { MessageTree } from './keys.ts';
import type { ReportMissing, Translator } from './translator.ts';

let current: Translator | undefined;
let reportMissingInProduction: ReportMissing = () => {};
/** The language that was asked for last: an earlier file that arrives later is dropped. */
let wanted: Locale | undefined;
const listeners = new Set<() => void>();

/** A missing text is a fault of ours: it throws where we can see it and is reported where visitors are. */
const reportMissing: ReportMissing = (what) => {
  if (!import.meta.env.PROD) throw new Error(`No text for ${what}`);
  reportMissingInProduction(what);
};

/** Says who hears of texts that are missing in production. */
export function onMissingText(report: ReportMissing): void {
  reportMissingInProduction = report;
}

/** Loads a language and shows everything in it. Throws when its file cannot be loaded; the language before stays. */
export async function loadLanguage(locale: Locale, options?: FetchOptions): Promise<void> {
  wanted = locale;
  const messages = await fetchMessages(locale, options);
  if (wanted === locale) showLanguage(locale, messages);
}

/** The visitor's own choice: loaded, shown and kept. */
export async function switchLanguage(locale: Locale): Promise<void> {
  await loadLanguage(locale);
  if (wanted === locale) storeLocale(locale);
}

/** Shows everything in a language whose texts are there. Nothing is mounted anew, so that what was typed and the focus stay. */
export function showLanguage(locale: Locale, messages: MessageTree): void {
  wanted = locale;
  current = createTranslator(locale, messages, reportMissing);
  document.documentElement.lang = locale;
  document.documentElement.dir = directionOf(locale);
  for (const listener of listeners) listener();
}

/** The language that is shown; throws before the first one is. */
export function requireLanguage(): Translator {
  if (!current) throw new Error('No language is loaded');
  return current;
}

/** Tells when another language is shown; returns how to stop. */
export function subscribeToLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
