import type { Locale } from '@anteroom/contract';
import type { PasswordRuleTexts, Texts } from './texts.ts';
import { ar } from './texts/ar.ts';
import { en } from './texts/en.ts';

/** A language that is missing here is spoken to in English. A new one: a file beside these two, and its line here. */
const catalogue: Partial<Record<Locale, Texts>> & { en: Texts } = { en, ar };

export function textsIn(language: Locale): Texts {
  return catalogue[language] ?? catalogue.en;
}

/** Why a new password is not taken, as a sentence. */
export function passwordRuleText(language: Locale, rule: keyof PasswordRuleTexts, count: number): string {
  const text = textsIn(language).passwordRules[rule];
  return typeof text === 'string' ? text : text(count);
}
