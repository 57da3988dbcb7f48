import { portal } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';
import { sendPassword } from '../journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../relying-party.ts';
import { director, lakeside } from './two-regions.ts';
import type { TestRegion, TwoRegions } from './two-regions.ts';

/** One visitor, whose browser has separate cookies for the two regions. */
export type Visitor = { eu: Browser; us: Browser };

export function openVisitor({ eu, us }: Pick<TwoRegions, 'eu' | 'us'>): Visitor {
  return { eu: eu.openBrowser(), us: us.openBrowser() };
}

/** Signs the director in to eu, with password and code, for a site of eu. Returns the sign-in that continues. */
export async function signInAtHome(
  { eu }: TwoRegions,
  { eu: browser }: Visitor,
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

/** Fetches the tokens that the application gets from a region for the signed-in user, without interaction. */
export async function fetchTokens({ app, url }: TestRegion, browser: Browser): Promise<Answer> {
  const request = authorizeAddress(portal);
  const { address } = await browser.follow(request.address);
  // checks the issuer, as clients do to prevent a mix-up (RFC 9207)
  if (address.searchParams.get('iss') !== url) throw new Error(`authorize led to ${address.href}`);
  return await askForTokens(app, url, portal, {
    grant_type: 'authorization_code',
    code: address.searchParams.get('code') ?? '',
    redirect_uri: portal.redirectUri,
    code_verifier: request.codeVerifier,
  });
}

/** The code in the most recent message. */
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

/** Selects the site whose home region is us. */
export function choose(browser: Browser, returnUrl: string, site = lakeside): Promise<Answer> {
  return browser.post('/api/ui/auth/select-site', { site, returnUrl });
}

/** Follows the redirects after the selection to the other region and back, and returns the hand-over token. */
export async function fetchToken({ eu, us }: Visitor, chosen: Answer): Promise<string> {
  const arrived = await us.visit(String(chosen.json()['location']));
  const page = await eu.visit(arrived.headers['location'] ?? '');
  return wordOf(page);
}

/** Prepares a visitor who has a hand-over token of eu in the right browser: the control case of every attack. */
export async function prepareToken(
  regions: TwoRegions,
  visitor: Visitor,
  parameters: Record<string, string> = {},
): Promise<{ visitor: Visitor; token: string }> {
  const { returnUrl } = await signInAtHome(regions, visitor, parameters);
  return { visitor, token: await fetchToken(visitor, await choose(visitor.eu, returnUrl)) };
}

function wordOf(page: Answer): string {
  const token = /name="word" value="([^"]+)"/.exec(page.text)?.[1];
  if (token === undefined) throw new Error(`No form was answered: ${page.status} ${page.text}`);
  return token;
}

/** Submits the form like a browser. */
export function postToken(
  browser: Browser,
  from: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return browser.postForm(
    '/regions/arrive',
    { word: token },
    { origin: from, 'sec-fetch-site': 'same-site', ...headers },
  );
}

/** Performs a complete hand-over, which results in a session in region us that came from eu. */
export async function handOver(regions: TwoRegions, visitor: Visitor): Promise<Answer> {
  const { token } = await prepareToken(regions, visitor);
  return await postToken(visitor.us, regions.eu.url, token);
}

/** Whether the page continues to the application. */
export function isLetIn({ status, text }: Answer): boolean {
  return status === 200 && text.includes('/initiate-sign-in?iss=');
}
