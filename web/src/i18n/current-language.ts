import type { Locale } from '@anteroom/contract';
import { fetchGroup, fetchMessages, needTexts } from './locale-file.ts';
import type { FetchOptions, TextGroup } from './locale-file.ts';
import { directionOf } from './locales.ts';
import { storeLocale } from './language-choice.ts';
import { createTranslator } from './translator.ts';
import type { MessageTree } from './keys.ts';
import type { ReportMissing, Translator } from './translator.ts';

let current: Translator | undefined;
let shown: MessageTree | undefined;
let reportMissingInProduction: ReportMissing = () => {};
/** The language requested last; a file of an earlier request that arrives later is dropped. */
let latest: Locale | undefined;
const listeners = new Set<() => void>();

/** A missing text is a bug: throws during development, is reported as a metric in production. */
const reportMissing: ReportMissing = (what) => {
  if (!import.meta.env.PROD) throw new Error(`No text for ${what}`);
  reportMissingInProduction(what);
};

/** Sets the callback for texts that are missing in production. */
export function onMissingText(report: ReportMissing): void {
  reportMissingInProduction = report;
}

/** Loads and shows a language. Throws if its file cannot be loaded; the current language stays. */
export async function loadLanguage(locale: Locale, options?: FetchOptions): Promise<void> {
  latest = locale;
  const messages = await fetchMessages(locale, options);
  if (latest === locale) showLanguage(locale, messages);
}

/** Loads a group of texts in the language of the page, which the visitor may be switching at this moment. */
export async function loadTexts(group: TextGroup): Promise<void> {
  if (shown?.[group]) return;
  needTexts(group);
  const locale = current?.locale;
  if (!locale || locale !== latest) return latest && loadLanguage(latest);
  const texts = await fetchGroup(locale, group);
  // A language that has been shown meanwhile includes the group.
  if (current?.locale === locale) show(locale, { ...shown, ...texts });
}

/** Loads, shows and stores the language that the visitor selected. */
export async function switchLanguage(locale: Locale): Promise<void> {
  await loadLanguage(locale);
  if (latest === locale) storeLocale(locale);
}

/** Shows a loaded language. Nothing is remounted, so typed values and the focus stay. */
export function showLanguage(locale: Locale, messages: MessageTree): void {
  latest = locale;
  show(locale, messages);
}

function show(locale: Locale, messages: MessageTree): void {
  shown = messages;
  current = createTranslator(locale, messages, reportMissing);
  document.documentElement.lang = locale;
  document.documentElement.dir = directionOf(locale);
  for (const listener of listeners) listener();
}

/** The current language; throws before the first one is shown. */
export function requireLanguage(): Translator {
  if (!current) throw new Error('No language is loaded');
  return current;
}

/** Calls the listener when the language changes; returns a function to unsubscribe. */
export function subscribeToLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
