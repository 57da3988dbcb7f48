import { localeFileVersion, supportedLocales } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';
import { lateGroups } from '../../vite/split-texts.ts';

type Tree = { [name: string]: string | Tree };

type Files = { files: Readonly<Record<string, Tree>>; pathOf: (locale: string) => string };

/** The texts of the sign-in pages, and those of the console that exist in every language. */
const sources: Readonly<Record<string, Files>> = {
  'the sign-in pages': {
    files: import.meta.glob<Tree>('../../public/assets/i18n/*', { eager: true, import: 'default' }),
    pathOf: (locale) => `../../public/assets/i18n/${locale}-${localeFileVersion}.json`,
  },
  'the console': {
    files: import.meta.glob<Tree>('../../../console/src/texts/??.json', { eager: true, import: 'default' }),
    pathOf: (locale) => `../../../console/src/texts/${locale}.json`,
  },
};

/** The texts of each key: one for a plain text, or one for each plural category. */
function textsOf(tree: Tree, path = ''): Map<string, Record<string, string>> {
  const entries = Object.entries(tree).flatMap(([name, node]): [string, Record<string, string>][] => {
    if (typeof node === 'string') return [[`${path}${name}`, { other: node }]];
    if ('other' in node) return [[`${path}${name}`, node as Record<string, string>]];
    return [...textsOf(node, `${path}${name}.`)];
  });
  return new Map(entries);
}

const partsOf = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}|<\/?\w+>/g))].toSorted();

describe.each(Object.entries(sources))('%s', (_, { files, pathOf }) => {
  const read = (locale: string): Tree => files[pathOf(locale)] ?? {};
  const english = textsOf(read('en'));

  test('there is exactly one file for each supported language', () => {
    expect(Object.keys(files).toSorted()).toEqual(supportedLocales.map(pathOf).toSorted());
  });

  describe.each(supportedLocales)('%s', (locale) => {
    const texts = textsOf(read(locale));

    test('has the keys of English in the same order [8.20]', () => {
      expect([...texts.keys()]).toEqual([...english.keys()]);
    });

    test('has the placeholders of English in each text', () => {
      const parts = (all: typeof texts): Record<string, string[]> =>
        Object.fromEntries([...all].map(([key, forms]) => [key, partsOf(forms['other'] ?? '')]));
      expect(parts(texts)).toEqual(parts(english));
    });

    test('has a plural form for every number, and only placeholders that the text has', () => {
      const rules = new Intl.PluralRules(locale);
      const categories = new Set(Array.from({ length: 101 }, (_, count) => rules.select(count)));
      const faults = [...texts]
        .filter(([key]) => Object.keys(english.get(key) ?? {}).length > 1)
        .flatMap(([key, forms]) => {
          const allowed = partsOf(forms['other'] ?? '');
          const missing = [...categories].filter((category) => !(category in forms));
          const foreign = Object.values(forms).flatMap((form) =>
            partsOf(form).filter((part) => !allowed.includes(part)),
          );
          return [...missing, ...foreign].map((fault) => `${key}: ${fault}`);
        });
      expect(faults).toEqual([]);
    });

    test('has no plural form that no number uses', () => {
      const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      const unused = [...texts].flatMap(([key, forms]) =>
        Object.keys(forms)
          .filter((form) => !categories.some((category) => category === form))
          .map((form) => `${key}: ${form}`),
      );
      expect(unused).toEqual([]);
    });

    test('has no empty text', () => {
      const empty = [...texts].filter(([, forms]) => Object.values(forms).some((form) => form.trim() === ''));
      expect(empty).toEqual([]);
    });
  });

  test.each(supportedLocales.filter((locale) => locale !== 'en'))(
    '%s has no untranslated English text',
    (locale) => {
      // Texts that may equal the English one: names, abbreviations, loanwords.
      const shared =
        /^(Account|Application|Browser|Code|Description|Details|Documents|E-mail|Error|Model \(ID\)|Name|No|Notifications|Organisation|Pages|Pagina|Passkey: \{\{name\}\}|Passkeys|Password|Portail|Privacy|Questionnaires|Sections|Site|Status|Support|Test|Testen|Version:?|Votes|\{\{shown\}\} votes|\{\{shown\}\} questionnaires|\{\{title\}\} · \{\{product\}\}|\{\{board\}\}, \{\{mark\}\}|\{\{sent\}\}, \{\{validity\}\})$/i;
      const same = [...textsOf(read(locale))].filter(
        ([key, forms]) =>
          forms['other'] === english.get(key)?.['other'] && !shared.test(forms['other'] ?? ''),
      );
      expect(same).toEqual([]);
    },
  );
});

/** The keys that the specification (point 8) and the wire contract name. */
const namedKeys = {
  error: ['serverUnreachable', 'unauthorized', 'unexpectedErrorOccurred', 'verifiedEmailRequired'],
  'login.errors': ['invalidCredentials', 'passwordRequired'],
  'mfa.errors': [
    'codeExpired',
    'codeRequired',
    'invalidCodeHeading',
    'invalidPhoneNumber',
    'mfaTokenExpired',
    'notConfigured',
    'verificationLimitHit',
  ],
  passwordPolicy: [
    'atLeast',
    'maximumLength',
    'minimumDigits',
    'minimumLength',
    'minimumLowercase',
    'minimumSpecial',
    'minimumUppercase',
    'notBreached',
    'notCommon',
    'notContainsSiteName',
    'notContainsUserName',
    'notReused',
  ],
  'resetPassword.errors': ['invalidCredentials'],
  'site.errors': ['siteDoesNotExist', 'siteRequired'],
};

test('the built locale file itself has every key that the specification and the contract name [8.20]', () => {
  const { files, pathOf } = sources['the sign-in pages'] as Files;
  const built = { ...files[pathOf('en')] };
  for (const group of lateGroups) delete built[group];
  for (const [path, names] of Object.entries(namedKeys)) {
    const group = path
      .split('.')
      .reduce<Tree | string | undefined>(
        (node, name) => (typeof node === 'object' ? node[name] : undefined),
        built,
      );
    expect(Object.keys(group ?? {}), path).toEqual(expect.arrayContaining(names));
  }
});
