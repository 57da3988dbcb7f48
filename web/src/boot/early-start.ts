import type { Correlation } from '../api/correlation.ts';
import type { LanguageChoice } from '../i18n/language-choice.ts';
import type { ParsedArrival } from './arrival.ts';

/** The state and requests of the inline script. */
export interface EarlyStart {
  arrival: ParsedArrival;
  correlation: Correlation;
  language: LanguageChoice;
  authContext: Promise<Response> | undefined;
  messages: Promise<Response>;
  /** Returns an answer that the service embedded in the page, or the requested context. Each can be taken once. */
  takeAnswer: (address: string) => Promise<Response> | undefined;
  /**
   * Repeats the visitor's clicks and submission once the application has taken over the shell. Undefined without a
   * shell.
   */
  endShell?: () => void;
}

declare global {
  interface Window {
    anteroomEarly?: EarlyStart;
  }
}

/** The result of the inline script, which runs before every other script. */
export function requireEarlyStart(): EarlyStart {
  if (!window.anteroomEarly) throw new Error('No inline script');
  return window.anteroomEarly;
}
