import { openCorrelation, callHeaders } from '../api/correlation.ts';
import { takeUserName } from '../carried-user-name.ts';
import { findCookie } from '../cookies.ts';
import { chooseLanguage, findStoredLocale } from '../i18n/language-choice.ts';
import { localeFileAddress } from '../i18n/locale-file.ts';
import { findTheme, showTheme } from '../ui/theme.ts';
import { withQuery } from '../query.ts';
import { readTimeoutMs, timeoutSignal } from '../timeout.ts';
import type { ParsedArrival } from './arrival.ts';
import type { EarlyStart } from './early-start.ts';

/** Answers by request address: those that the service put into the page, or promises of requested ones. */
export type Answers = Record<string, unknown>;

interface Begun {
  early: EarlyStart;
  answers: Answers;
  contextAddress: string;
  wordsAddress: string;
  /** Sends a read as the client of the application does. */
  request: (address: string) => Promise<Response>;
}

/**
 * The start of each inline script: requests the context and the texts before any other file has loaded. `main.tsx`
 * continues with its result.
 */
export function begin(arrival: ParsedArrival): Begun {
  const correlation = openCorrelation();
  const language = chooseLanguage({
    returnUrl: arrival.returnUrl,
    culture: arrival.culture,
    storedLocale: findStoredLocale(),
    browserLanguages: navigator.languages,
  });
  const theme = findTheme();
  if (theme) showTheme(theme);
  const rememberedSite = findCookie('anteroom_site');

  const answers = JSON.parse(document.querySelector('[data-answers]')?.textContent ?? '{}') as Answers;
  const findAnswer = (address: string): Promise<Response> | undefined =>
    answers[address] === undefined
      ? undefined
      : Promise.resolve(answers[address]).then(
          (answer) => new Response(JSON.stringify(answer), { headers: { Date: String(answers['date']) } }),
        );

  const contextAddress = withQuery('/api/ui/auth-context', {
    returnUrl: arrival.returnUrl,
    site: rememberedSite,
  });

  const request = (address: string): Promise<Response> =>
    fetch(address, {
      headers: callHeaders(language.locale, correlation),
      credentials: 'include',
      cache: 'no-store',
      signal: timeoutSignal(readTimeoutMs),
    });

  const wordsAddress = localeFileAddress(language.locale);

  const early: EarlyStart = {
    arrival: { ...arrival, rememberedSite, enteredUserName: takeUserName() },
    correlation,
    language,
    authContext:
      arrival.entry.kind === 'login' ? (findAnswer(contextAddress) ?? request(contextAddress)) : undefined,
    messages: findAnswer(wordsAddress) ?? fetch(wordsAddress, { signal: timeoutSignal(readTimeoutMs) }),
    takeAnswer(address) {
      const answer = (address === contextAddress && early.authContext) || findAnswer(address);
      if (address === contextAddress) early.authContext = undefined;
      delete answers[address];
      return answer;
    },
  };
  // The caller handles the rejection later; this avoids an unhandled-rejection event until then.
  early.authContext?.catch(() => {});
  early.messages.catch(() => {});
  window.anteroomEarly = early;
  return { early, answers, contextAddress, wordsAddress, request };
}
