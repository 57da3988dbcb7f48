import type { Locale } from '@anteroom/contract';
import type { MessageKey, MessageTree } from './keys.ts';

/** The values of a text's placeholders; `count` also chooses among plural forms. */
export type MessageParameters = Readonly<Record<string, string | number>>;

export interface Translator {
  readonly locale: Locale;
  /** The text of a key with its placeholders filled. */
  t: (key: MessageKey, parameters?: MessageParameters) => string;
  /**
   * The text of a key that came from outside (a policy line, a notice); undefined when the file does not have it, or when one of its
   * placeholders has no value.
   */
  find: (key: string, parameters?: MessageParameters) => string | undefined;
}

/** Told of a key, or a placeholder's value, that is missing; returns or throws. */
export type ReportMissing = (what: string) => void;

/**
 * Reads texts from one locale file.
 * A number is written with the language's separators and Western digits: the code, the countdown and the badges all show them.
 */
export function createTranslator(
  locale: Locale,
  messages: MessageTree,
  reportMissing: ReportMissing,
): Translator {
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

  return {
    locale,
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
}

/** `{{name}}`, spaces inside allowed. */
export const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

function findTemplate(
  messages: MessageTree,
  key: string,
  selectPlural: () => Intl.LDMLPluralRule,
): string | undefined {
  let node: string | MessageTree | undefined = messages;
  for (const name of key.split('.')) {
    // own members alone: a key such as `constructor` may come from a cookie
    node = typeof node === 'object' && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  if (typeof node !== 'object') return node;
  if (typeof node['other'] !== 'string') return undefined;
  const form = node[selectPlural()];
  return typeof form === 'string' ? form : node['other'];
}
