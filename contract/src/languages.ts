interface Language {
  /** The name of the language in the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** The BCP 47 tag for dates in e-mails; absent: the locale. */
  regional?: string;
  /** The suffix of the privacy policy's address (specification, point 2, "Page layout"); absent: the locale. */
  privacyPolicySuffix?: string;
  /** Outdated codes that some platforms still send. */
  oldCodes?: readonly string[];
}

/** The supported languages, in the order of the language menu. */
export const languages = {
  en: { name: 'English', direction: 'ltr', regional: 'en-GB', privacyPolicySuffix: '' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  nl: { name: 'Nederlands', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr', regional: 'pt-BR', privacyPolicySuffix: 'pt-br' },
  zh: { name: '简体中文', direction: 'ltr', regional: 'zh-Hans', privacyPolicySuffix: 'zh-hans' },
  ja: { name: '日本語', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  he: { name: 'עברית', direction: 'rtl', oldCodes: ['iw'] },
} as const satisfies Record<string, Language>;

export type Locale = keyof typeof languages;

// Columns of the table, so that the front end loads only the columns that it reads (`web/vite/language-table.ts`).

const rows = Object.entries<Language>(languages) as [Locale, Language][];

export const supportedLocales: readonly Locale[] = rows.map(([locale]) => locale);
/** The BCP 47 tags for dates. */
export const regionalTags = Object.fromEntries(
  rows.map(([locale, { regional }]) => [locale, regional ?? locale]),
) as Readonly<Record<Locale, string>>;
export const rightToLeftLocales: readonly Locale[] = rows
  .filter(([, { direction }]) => direction === 'rtl')
  .map(([locale]) => locale);
export const oldLanguageCodes: Readonly<Record<string, string>> = Object.fromEntries(
  rows.flatMap(([locale, { oldCodes = [] }]) => oldCodes.map((code) => [code, locale])),
);
/** The privacy policy suffixes that differ from the locale. */
export const privacyPolicySuffixes: Readonly<Record<string, string>> = Object.fromEntries(
  rows.flatMap(([locale, row]) =>
    row.privacyPolicySuffix === undefined ? [] : [[locale, row.privacyPolicySuffix]],
  ),
);
