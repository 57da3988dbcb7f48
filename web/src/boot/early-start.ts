import type { Correlation } from '../api/correlation.ts';
import type { LanguageChoice } from '../i18n/language-choice.ts';
import type { ParsedArrival } from './arrival.ts';

/** What the inline script has read and begun. */
export interface EarlyStart {
  arrival: ParsedArrival;
  correlation: Correlation;
  language: LanguageChoice;
  authContext: Promise<Response> | undefined;
  messages: Promise<Response>;
  /** An answer that came with the page, once. */
  takeAnswer: (address: string) => Promise<Response> | undefined;
}

declare global {
  interface Window {
    anteroomEarly?: EarlyStart;
  }
}

/** What the inline script has begun; it stands before every other script of the page. */
export function requireEarlyStart(): EarlyStart {
  if (!window.anteroomEarly) throw new Error('The inline script has not run');
  return window.anteroomEarly;
}
