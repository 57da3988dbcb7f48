import { portal } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';
import { sendPassword } from '../journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../relying-party.ts';
import { director, lakeside } from './two-regions.ts';
import type { TestRegion, TwoRegions } from './two-regions.ts';

/** One browser at both regions: each host has cookies of its own. */
export type Traveller = { eu: Browser; us: Browser };

export function openTraveller({ eu, us }: Pick<TwoRegions, 'eu' | 'us'>): Traveller {
  return { eu: eu.openBrowser(), us: us.openBrowser() };
}

/** Signs the director in at eu, with password and code, for a site of eu; answers the sign-in that goes on. */
export async function signInAtHome(
  { eu }: TwoRegions,
  { eu: browser }: Traveller,
  parameters: Record<string, string> = {},
): Promise<{ returnUrl: string }> {
  const started = await beginSignIn(browser, portal);
  const asked = await sendPassword(browser, started, director);
  if (asked.json()['status'] !== 'second_factor_required') throw new Error(`password: ${asked.text}`);
  const entered = await browser.post('/api/ui/verify-mfa-code', {
    returnUrl: started.returnUrl,
    code: await latestCode(eu),
    publicComputerSignIn: true,
  });
  if (entered.json()['status'] !== 'redirect') throw new Error(`code: ${entered.text}`);
  return await beginSignIn(browser, portal, { prompt: 'switch_site', ...parameters });
}

/** The tokens that the application gets from a region for whoever is signed in there: nobody is asked for anything. */
export async function fetchTokens({ app, url }: TestRegion, browser: Browser): Promise<Answer> {
  const request = authorizeAddress(portal);
  const { address } = await browser.follow(request.address);
  // one issuer is not taken for another (RFC 9207)
  if (address.searchParams.get('iss') !== url) throw new Error(`authorize led to ${address.href}`);
  return await askForTokens(app, url, portal, {
    grant_type: 'authorization_code',
    code: address.searchParams.get('code') ?? '',
    redirect_uri: portal.redirectUri,
    code_verifier: request.codeVerifier,
  });
}

/** The code of the message that was sent last. */
export async function latestCode({ services }: TestRegion): Promise<string> {
  await services.settleMessages();
  const row = await services.database
    .selectFrom('outbox')
    .select('text')
    .where('kind', '=', 'sms')
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow();
  const code = /\b\d{6}\b/.exec(row.text)?.[0];
  if (code === undefined) throw new Error('There is no code in the message');
  return code;
}

/** Chooses the site whose home is us. */
export function choose(browser: Browser, returnUrl: string, site = lakeside): Promise<Answer> {
  return browser.post('/api/ui/auth/select-site', { site, returnUrl });
}

/** From the answer of the choice to the page with the form: through the other region's door and back. */
export async function fetchWord({ eu, us }: Traveller, chosen: Answer): Promise<string> {
  const arrived = await us.visit(String(chosen.json()['location']));
  const page = await eu.visit(arrived.headers['location'] ?? '');
  return wordOf(page);
}

/** Somebody with a word of eu in the browser that it was made for: the honest control of every attack. */
export async function prepareWord(
  regions: TwoRegions,
  traveller: Traveller,
  parameters: Record<string, string> = {},
): Promise<{ traveller: Traveller; word: string }> {
  const { returnUrl } = await signInAtHome(regions, traveller, parameters);
  return { traveller, word: await fetchWord(traveller, await choose(traveller.eu, returnUrl)) };
}

function wordOf(page: Answer): string {
  const word = /name="word" value="([^"]+)"/.exec(page.text)?.[1];
  if (word === undefined) throw new Error(`No form was answered: ${page.status} ${page.text}`);
  return word;
}

/** Sends the form as a browser does. */
export function postWord(
  browser: Browser,
  from: string,
  word: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return browser.postForm(
    '/regions/arrive',
    { word },
    { origin: from, 'sec-fetch-site': 'same-site', ...headers },
  );
}

/** The whole way: a session at us that came from eu. */
export async function travel(regions: TwoRegions, traveller: Traveller): Promise<Answer> {
  const { word } = await prepareWord(regions, traveller);
  return await postWord(traveller.us, regions.eu.url, word);
}

/** Whether the page goes on to the application. */
export function isLetIn({ status, text }: Answer): boolean {
  return status === 200 && text.includes('/initiate-sign-in?iss=');
}
