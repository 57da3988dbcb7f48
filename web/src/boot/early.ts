/**
 * The first script of the page, inlined into the HTML: the context and the words are under way before anything else has been fetched.
 * `main.tsx` goes on with what it finds here.
 */
import { openCorrelation } from '../api/correlation.ts';
import { callHeaders } from '../api/headers.ts';
import { findCookie } from '../cookies.ts';
import { chooseLanguage } from '../i18n/language-choice.ts';
import { findStoredLocale } from '../i18n/locale-cookie.ts';
import { localeFileAddress } from '../i18n/locale-file.ts';
import { readTimeoutMs, timeoutSignal } from '../timeout.ts';
import { parseArrival } from './arrival.ts';
import type { EarlyStart } from './early-start.ts';

const arrival = parseArrival(new URL(location.href));
const correlation = openCorrelation();
const language = chooseLanguage({
  returnUrl: arrival.returnUrl,
  culture: arrival.culture,
  storedLocale: findStoredLocale(),
  browserLanguages: navigator.languages,
});
const rememberedSite = findCookie('anteroom_site');

/** Answers that the service has put into the page, by the address that would be asked. Each is used once: a later call is asked again. */
const given = JSON.parse(document.querySelector('[data-answers]')?.textContent ?? '{}') as Record<
  string,
  unknown
>;
function takeAnswer(address: string): Promise<Response> | undefined {
  const answer = given[address];
  given[address] = undefined;
  return answer
    ? Promise.resolve(new Response(JSON.stringify(answer), { headers: { Date: String(given['date']) } }))
    : undefined;
}

/** The same request that the client would make: `calls.getAuthContext` of the contract. */
function askForContext(): Promise<Response> {
  const query = new URLSearchParams();
  if (arrival.returnUrl !== undefined) query.set('returnUrl', arrival.returnUrl);
  if (rememberedSite !== undefined) query.set('site', rememberedSite);
  const address = `/api/ui/auth-context?${query}`;
  return (
    takeAnswer(address) ??
    fetch(address, {
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
  authContext: arrival.entry.kind === 'login' ? askForContext() : undefined,
  messages: takeAnswer(wordsAddress) ?? fetch(wordsAddress, { signal: timeoutSignal(readTimeoutMs) }),
  takeAnswer,
};
/** The address of `branding.ts`, which the build knows and writes here. */
const brandingPart = '__branding__';

/** Few contexts bring a brand; the part that applies it is then under way together with the application, not after it. */
async function askForBranding(context: Response): Promise<void> {
  if (!/"branding":\s*\{/.test(await context.clone().text())) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = brandingPart;
  document.head.append(link);
}

// whoever takes them over hears of a failure; until then it is no uncaught error
early.authContext?.then(askForBranding).catch(() => {});
early.messages.catch(() => {});
window.anteroomEarly = early;
