import type { Locale } from '@anteroom/contract';
import type { MessageKey, MessageTree } from './keys.ts';

/** The values of placeholders; `count` also selects the plural form. */
export type MessageParameters = Readonly<Record<string, string | number>>;

export interface Translator<Key extends string = MessageKey> {
  readonly locale: Locale;
  /** The text of a key, with filled placeholders. */
  t: (key: Key, parameters?: MessageParameters) => string;
  /** The texts of several keys, each a sentence, with a space between them if the language has one. */
  sentences: (...keys: readonly Key[]) => string;
  /**
   * The text of a key from outside (a policy line, a notice); undefined if the file does not have the key or if a
   * placeholder has no value.
   */
  find: (key: string, parameters?: MessageParameters) => string | undefined;
}

/** Called for a missing key or placeholder value; can throw. */
export type ReportMissing = (what: string) => void;

/**
 * Reads texts from a locale file. Numbers have the separators of the language and Western digits, like the code boxes,
 * the countdown and the badges.
 */
export function createTranslator<Key extends string = MessageKey>(
  locale: Locale,
  messages: MessageTree,
  reportMissing: ReportMissing,
): Translator<Key> {
  const pluralRules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(`${locale}-u-nu-latn`);

  const templateOf = (key: string, parameters: MessageParameters): string | undefined =>
    findTemplate(messages, key, () => pluralRules.select(Number(parameters['count'])));

  const fill = (template: string, parameters: MessageParameters, onMissing: (name: string) => void): string =>
    template.replace(placeholder, (written, name: string) => {
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (value === undefined) onMissing(name);
      return typeof value === 'number' ? numbers.format(value) : (value ?? written);
    });

  const translator: Translator<Key> = {
    locale,
    sentences: (...keys) => keys.map((key) => translator.t(key)).join(isSpaced(locale) ? ' ' : ''),
    find(key, parameters = {}) {
      let isWhole = true;
      const text = templateOf(key, parameters);
      const filled = text && fill(text, parameters, () => (isWhole = false));
      return isWhole ? filled : undefined;
    },
    t(key, parameters = {}) {
      const text = templateOf(key, parameters);
      if (text === undefined) {
        reportMissing(`${key} in ${locale}`);
        return key;
      }
      return fill(text, parameters, (name) => reportMissing(`${key} {{${name}}} in ${locale}`));
    },
  };
  return translator;
}

/** In Chinese and Japanese, the full stop contains the space. */
export const isSpaced = (locale: Locale): boolean => locale !== 'zh' && locale !== 'ja';

/** `{{name}}`, with optional spaces. */
export const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

function findTemplate(
  messages: MessageTree,
  key: string,
  selectPlural: () => Intl.LDMLPluralRule,
): string | undefined {
  let node: string | MessageTree | undefined = messages;
  for (const name of key.split('.')) {
    // Reads own properties only, because a cookie can contain a key such as `constructor`.
    node = typeof node === 'object' && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  if (typeof node !== 'object') return node;
  if (typeof node['other'] !== 'string') return undefined;
  const form = node[selectPlural()];
  return typeof form === 'string' ? form : node['other'];
}
