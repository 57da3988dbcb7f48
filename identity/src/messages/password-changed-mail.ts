import type { Locale } from '@anteroom/contract';
import type { Mail } from './messages.ts';
import { textsIn } from './text-catalogue.ts';

/** The notice after a change, so that somebody whose password another has changed learns of it. */
export function passwordChangedMail(facts: { to: string; at: Date; language: Locale }): Mail {
  const { subject, text } = textsIn(facts.language).passwordChangedMail;
  return { to: facts.to, subject, text: text({ at: asMoment(facts.at, facts.language) }) };
}

/** Portuguese and Chinese as the page speaks them: those of Brazil and of mainland China. */
const regional: Partial<Record<Locale, string>> = { pt: 'pt-BR', zh: 'zh-Hans' };

/** Date and time in UTC; the digits that clocks and codes have, in every language. */
function asMoment(at: Date, language: Locale): string {
  return at.toLocaleString(regional[language] ?? language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
  });
}
