import { calls } from '@anteroom/contract';
import { demoPassword } from '@anteroom/testkit/demo-users';
import type { RelyingParty } from '@anteroom/testkit/sign-in-visit';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { findLongestTask } from './longest-task.ts';

/** Signs a user in without naming a site, so that the site list follows. Returns the URL of the site list. */
export async function signIn(
  context: BrowserContext,
  { issuer, party, userName }: { issuer: string; party: RelyingParty; userName: string },
): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${issuer}/connect/authorize?${authorizeQuery(party)}`);
  await page.locator('main[data-step]').waitFor();
  const status = await page.evaluate(
    async ({ path, credentials }) => {
      const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '';
      const returnUrl = new URLSearchParams(location.search).get('ReturnUrl');
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) },
        body: JSON.stringify({ returnUrl, ...credentials }),
      });
      return ((await answer.json()) as { status?: string }).status;
    },
    { path: calls.authenticate.path, credentials: { userName, password: demoPassword } },
  );
  if (status !== 'select_site_required') throw new Error(`authenticate answered ${String(status)}.`);
  const address = new URL(page.url());
  address.searchParams.set('skip_splash', 'true');
  await page.close();
  return address.href;
}

/** The parameters of an authorization request, whose code is never redeemed. */
function authorizeQuery(party: RelyingParty): string {
  return new URLSearchParams({
    client_id: party.clientId,
    redirect_uri: party.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'bench',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString();
}

/** Runs in the page before its own scripts: measures when a site can be selected, from the start of the navigation. */
function observe(): void {
  const look = (): void => {
    const entry = document.querySelector('main[data-step="select-site"] [data-site] button');
    const isUsable = entry && entry.getClientRects().length > 0 && !document.querySelector('[data-splash]');
    if (isUsable) requestAnimationFrame(() => Object.assign(globalThis, { usableMs: performance.now() }));
    else requestAnimationFrame(look);
  };
  look();
}

export interface Load {
  usableMs: number;
  longestTaskMs: number;
  longestTaskProcessorMs: number;
  callsInFlight: number;
  /** Of the first n to-do calls, where n is the number of sites in view, the share that was for sites in view. */
  inViewFirstPercent: number;
}

export async function load(browser: Browser, context: BrowserContext, address: string): Promise<Load> {
  const page = await context.newPage();
  await page.addInitScript(observe);
  const requestedSites: string[] = [];
  let inFlight = 0;
  let callsInFlight = 0;
  const siteAsked = (url: string): string | undefined =>
    /\/api\/ui\/sites\/([^/]+)\/todo$/.exec(new URL(url).pathname)?.[1];
  page.on('request', (request) => {
    const site = siteAsked(request.url());
    if (site === undefined) return;
    requestedSites.push(decodeURIComponent(site));
    inFlight += 1;
    callsInFlight = Math.max(callsInFlight, inFlight);
  });
  const settle = (request: Request): void => {
    if (siteAsked(request.url()) !== undefined) inFlight -= 1;
  };
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);

  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'usableMs' in globalThis);
  const usableMs = await page.evaluate(
    () => (globalThis as typeof globalThis & { usableMs: number }).usableMs,
  );
  const inView = new Set(await page.evaluate(sitesInView));
  const longest = await findLongestTask(browser, page, () => scroll(page));
  const first = requestedSites.slice(0, inView.size);
  await page.close();
  return {
    usableMs,
    longestTaskMs: longest.wallMs,
    longestTaskProcessorMs: longest.processorMs,
    callsInFlight,
    inViewFirstPercent: (100 * first.filter((site) => inView.has(site)).length) / first.length,
  };
}

/** Returns the names of the visible sites. Runs in the page. */
function sitesInView(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-site]')]
    .filter((entry) => {
      const { top, bottom } = entry.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    })
    .map((entry) => entry.dataset['site'] ?? '');
}

/** The number of scroll steps of a little more than a screen: enough for some hundred sites. */
const wheelTurns = 100;

/** Scrolls at the page's frame rate. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(200, 400);
  for (let turn = 0; turn < wheelTurns; turn += 1) {
    await page.mouse.wheel(0, 900);
    await page.evaluate(async () => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}
