import { openCorrelation, callHeaders } from '../api/correlation.ts';
import { findCookie } from '../cookies.ts';
import { chooseLanguage, findStoredLocale } from '../i18n/language-choice.ts';
import { localeFileAddress } from '../i18n/locale-file.ts';
import { findTheme, showTheme } from '../ui/theme.ts';
import { readTimeoutMs, timeoutSignal } from '../timeout.ts';
import type { ParsedArrival } from './arrival.ts';
import type { EarlyStart } from './early-start.ts';

interface Begun {
  early: EarlyStart;
  /** Answers that the service put into the page, by request address. */
  answers: Record<string, unknown>;
  contextAddress: string;
  wordsAddress: string;
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

  /**
   * Answers that the service embedded in the page, by request address. Each is used once; a later call sends a request.
   */
  const answers = JSON.parse(document.querySelector('[data-answers]')?.textContent ?? '{}') as Record<
    string,
    unknown
  >;
  const taken = new Set<string>();
  function takeAnswer(address: string): Promise<Response> | undefined {
    const answer = taken.has(address) ? undefined : answers[address];
    taken.add(address);
    return answer
      ? Promise.resolve(new Response(JSON.stringify(answer), { headers: { Date: String(answers['date']) } }))
      : undefined;
  }

  const query = new URLSearchParams();
  if (arrival.returnUrl !== undefined) query.set('returnUrl', arrival.returnUrl);
  if (rememberedSite !== undefined) query.set('site', rememberedSite);
  const contextAddress = `/api/ui/auth-context?${query}`;

  /** Sends the same request as `calls.getAuthContext` of the client. */
  function requestContext(): Promise<Response> {
    return (
      takeAnswer(contextAddress) ??
      fetch(contextAddress, {
        headers: callHeaders(language.locale, correlation),
        credentials: 'include',
        cache: 'no-store',
        signal: timeoutSignal(readTimeoutMs),
      })
    );
  }

  const wordsAddress = localeFileAddress(language.locale);

  const early: EarlyStart = {
    arrival: { ...arrival, rememberedSite },
    correlation,
    language,
    authContext: arrival.entry.kind === 'login' ? requestContext() : undefined,
    messages: takeAnswer(wordsAddress) ?? fetch(wordsAddress, { signal: timeoutSignal(readTimeoutMs) }),
    takeAnswer,
  };
  // The caller handles the rejection later; this avoids an unhandled-rejection event until then.
  early.authContext?.catch(() => {});
  early.messages.catch(() => {});
  window.anteroomEarly = early;
  return { early, answers, contextAddress, wordsAddress };
}
