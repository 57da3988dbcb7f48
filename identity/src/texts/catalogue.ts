import { rightToLeftLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import type { PasswordRuleTexts, Texts } from './texts.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

const catalogue: Readonly<Record<Locale, Texts>> = { en, de, es, fr, it, nl, pt, zh, ja, ar, he };

export function directionOf(language: Locale): 'ltr' | 'rtl' {
  return rightToLeftLocales.includes(language) ? 'rtl' : 'ltr';
}

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * Isolates a name so that it does not affect the direction of its surroundings (UAX #9, FIRST STRONG ISOLATE). The
 * isolating characters are added only where needed, because they make a text message 16-bit, with 70 characters instead
 * of 160.
 */
export function isolated(name: string, language: Locale): string {
  return directionOf(language) === 'rtl' || rightToLeftLetter.test(name) ? `\u2068${name}\u2069` : name;
}

export function textsIn(language: Locale): Texts {
  return catalogue[language];
}

/** The reason why a new password is rejected, as a sentence. */
export function passwordRuleText(language: Locale, rule: keyof PasswordRuleTexts, count: number): string {
  const text = textsIn(language).passwordRules[rule];
  return typeof text === 'string' ? text : text(count);
}
