import { languageNames } from '@anteroom/contract/language-names';
import type { Locale } from '@anteroom/contract';
import { regionalTags, supportedLocales } from '@anteroom/contract';
import { findCookie, writeCookie } from '../../../web/src/cookies.ts';
import { directionOf, findLocale } from '../../../web/src/i18n/locales.ts';
import type { MessageTree, PathsOf } from '../../../web/src/i18n/keys.ts';
import { createTranslator } from '../../../web/src/i18n/translator.ts';
import type { Translator } from '../../../web/src/i18n/translator.ts';
import type boards from './en.json';
import type office from './office.json';

/** The keys of the texts that exist in every language. */
export type BoardKey = PathsOf<typeof boards>;
/** The office pages (those of owners, support and auditors) are in English only. */
type Key = BoardKey | PathsOf<typeof office>;

/** Every language has the texts of English. */
const files: Readonly<Record<Locale, () => Promise<{ default: typeof boards }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
  it: () => import('./it.json'),
  nl: () => import('./nl.json'),
  pt: () => import('./pt.json'),
  zh: () => import('./zh.json'),
  ja: () => import('./ja.json'),
  ar: () => import('./ar.json'),
  he: () => import('./he.json'),
};

let current: Translator<Key> | undefined;

function requireCurrent(): Translator<Key> {
  if (!current) throw new Error('No language is loaded');
  return current;
}

export const t: Translator<Key>['t'] = (key, parameters) => requireCurrent().t(key, parameters);

/** The text of a key from the service, for example of an audit event. */
export const findText: Translator<Key>['find'] = (key, parameters) => requireCurrent().find(key, parameters);

/** `must-change` and `password.check` name texts as `mustChange` and `passwordCheck`. */
export const toKey = <Name extends string>(name: Name): CamelCase<Name> =>
  name.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** For dates, British in English, and lists. Digits are 0 to 9 in every language. */
export const formatLocale = (): string => `${regionalTags[requireCurrent().locale]}-u-ca-gregory-nu-latn`;
export const currentLocale = (): Locale => requireCurrent().locale;

const cookieName = 'anteroom_locale';

/**
 * Loads the texts. Who sees office pages gets English everywhere, so that no page mixes languages; who only looks after
 * own sites gets the language of the sign-in page.
 */
export async function loadTexts({ isOffice }: { isOffice: boolean }): Promise<void> {
  const wanted = [findCookie(cookieName), ...navigator.languages].map(findLocale);
  const locale = isOffice ? 'en' : (wanted.find((one) => one !== undefined) ?? 'en');
  const [{ default: own }, others] = await Promise.all([
    files[locale](),
    isOffice ? import('./office.json') : undefined,
  ]);
  showTexts(locale, { ...own, ...others?.default });
}

/** A missing text is a bug: it throws during development, and shows its key in production. */
export function showTexts(locale: Locale, messages: MessageTree): void {
  current = createTranslator<Key>(locale, messages, (what) => {
    if (!import.meta.env.PROD) throw new Error(`No text for ${what}`);
  });
  document.documentElement.lang = locale;
  document.documentElement.dir = directionOf(locale);
}

export const languageChoices: readonly { locale: Locale; name: string }[] = supportedLocales.map(
  (locale) => ({
    locale,
    name: languageNames[locale],
  }),
);

export function storeLanguage(locale: string): void {
  writeCookie(cookieName, locale, 'far-future');
}
