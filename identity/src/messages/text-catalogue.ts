import type { Locale } from '@anteroom/contract';
import type { PasswordRuleTexts, Texts } from './texts.ts';
import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { he } from './texts/he.ts';
import { it } from './texts/it.ts';
import { ja } from './texts/ja.ts';
import { nl } from './texts/nl.ts';
import { pt } from './texts/pt.ts';
import { zh } from './texts/zh.ts';

/** A new language: a file beside these, and its line here. */
const catalogue: Readonly<Record<Locale, Texts>> = { en, de, es, fr, it, nl, pt, zh, ja, ar, he };

const rightToLeft: ReadonlySet<Locale> = new Set<Locale>(['ar', 'he']);

export function isRightToLeft(language: Locale): boolean {
  return rightToLeft.has(language);
}

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * A name that turns nothing around it (UAX #9, FIRST STRONG ISOLATE). Left out where it is not needed: the character alone would make a
 * text message a 16-bit one, of 70 characters instead of 160.
 */
export function isolated(name: string, language: Locale): string {
  return isRightToLeft(language) || rightToLeftLetter.test(name) ? `\u2068${name}\u2069` : name;
}

export function textsIn(language: Locale): Texts {
  return catalogue[language];
}

/** Why a new password is not taken, as a sentence. */
export function passwordRuleText(language: Locale, rule: keyof PasswordRuleTexts, count: number): string {
  const text = textsIn(language).passwordRules[rule];
  return typeof text === 'string' ? text : text(count);
}
