import type { Locale } from '@anteroom/contract';
import type { Mail } from './messages.ts';
import { textsIn } from './text-catalogue.ts';

/** The notice after a change, so that somebody whose password another has changed learns of it. */
export function passwordChangedMail(facts: { to: string; at: Date; language: Locale }): Mail {
  const { subject, text } = textsIn(facts.language).passwordChangedMail;
  const at = facts.at.toISOString().slice(0, 16).replace('T', ' ');
  return { to: facts.to, subject, text: text({ at }) };
}
