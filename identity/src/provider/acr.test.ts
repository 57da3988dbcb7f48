import { beforeEach, describe, expect, test } from 'vitest';
import { provedNow } from '../../testing/begin-session.ts';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { followToApplication, readIdToken, redeem, secretary, sendPassword } from '../../testing/journeys.ts';
import { latestCode } from '../../testing/outbox.ts';
import { authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import type { Request } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';
import { acrValues, findAcr, reachesAcr } from '../sessions/assurance.ts';

const application = useApplication();
const [mfa = '', sfa = ''] = acrValues;
const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };
const essential = (...values: string[]) => JSON.stringify({ id_token: { acr: { essential: true, values } } });

beforeEach(async () => {
  const { database } = application().services;
  for (const table of ['limits', 'outbox', 'code_messages'] as const)
    await database.deleteFrom(table).execute();
});

async function enterCode(browser: Browser, returnUrl: string) {
  const code = await latestCode(application().services.database);
  return await browser.post('/api/ui/verify-mfa-code', { returnUrl, code });
}

/** Signs the director in, entering the code when the service requires one. Returns the claims. */
async function signInDirector(browser: Browser, changes: Record<string, string>) {
  const started = await beginSignIn(browser, portal, changes);
  const answer = await sendPassword(browser, started, director);
  const isAsked = answer.json()['status'] === 'second_factor_required';
  const done = isAsked ? await enterCode(browser, started.returnUrl) : answer;
  return { isAsked, claims: await claimsOf(started, await followToApplication(browser, done)) };
}

const claimsOf = async (request: Request, response: URLSearchParams) =>
  readIdToken(await redeem(application(), { ...request, code: response.get('code') ?? '' }));

/** Sends another authorization request in a signed-in browser. */
async function again(browser: Browser, changes: Record<string, string>) {
  const request = authorizeAddress(portal, changes);
  const { address } = await browser.follow(request.address);
  return { request, address, response: address.searchParams };
}

/** Opens a browser that is remembered for the director and has a session authenticated by password only. */
async function rememberedBrowser(): Promise<Browser> {
  const browser = application().openBrowser();
  await signInDirector(browser, {});
  browser.cookies.delete('anteroom_session');
  const { claims } = await signInDirector(browser, {});
  expect(claims).toMatchObject({ amr: ['pwd'], acr: sfa });
  await application().services.database.deleteFrom('code_messages').execute();
  return browser;
}

describe('acr in the ID token', () => {
  test('is the strongest context that the authentication methods reach', async () => {
    const { claims } = await signInDirector(application().openBrowser(), {});
    expect(claims).toMatchObject({ amr: ['pwd', 'sms'], acr: mfa });
  });

  test.each([
    [['pwd'], sfa],
    [['pwd', 'otp'], mfa],
    [['fed'], undefined],
    [['fed', 'sms'], mfa],
    [['pwd', 'email'], sfa],
    [['swk', 'user'], mfa],
    [[], undefined],
  ] as const)('%j is %s', (methods, acr) => expect(findAcr(provedNow(...methods))).toBe(acr));

  test('of a stronger sign-in satisfies a weaker request, but not vice versa', () => {
    expect([reachesAcr(mfa, sfa), reachesAcr(sfa, mfa), reachesAcr(undefined, sfa)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([reachesAcr(mfa, 'unknown'), reachesAcr('unknown', sfa)]).toEqual([false, false]);
  });
});

describe('a request for a second factor', () => {
  test.each([
    ['acr_values', { acr_values: mfa }],
    ['an essential claim', { claims: essential(mfa) }],
  ])('by %s requires a code, even on a remembered computer', async (_name, changes) => {
    const browser = await rememberedBrowser();
    const { isAsked, claims } = await signInDirector(browser, changes);
    expect(isAsked).toBe(true);
    expect(claims).toMatchObject({ acr: mfa });
    expect((await again(browser, changes)).response.get('code')).not.toBeNull();
  });

  test('completes without a page in a session that already has a second factor', async () => {
    const browser = application().openBrowser();
    await signInDirector(browser, {});
    const { request, response } = await again(browser, { acr_values: mfa, prompt: 'none' });
    expect(await claimsOf(request, response)).toMatchObject({ acr: mfa });
  });

  test('with prompt=none returns interaction_required if essential, and the acr reached if voluntary', async () => {
    const browser = await rememberedBrowser();
    const silent = { prompt: 'none' };
    expect((await again(browser, { ...silent, claims: essential(mfa) })).response.get('error')).toBe(
      'interaction_required',
    );
    const { request, response } = await again(browser, { ...silent, acr_values: mfa });
    expect(await claimsOf(request, response)).toMatchObject({ acr: sfa });
  });
});

describe('a user without a second factor', () => {
  const signInSecretary = async (browser: Browser, changes: Record<string, string>) => {
    const started = await beginSignIn(browser, portal, changes);
    const response = await followToApplication(browser, await sendPassword(browser, started, secretary));
    return { started, response };
  };

  test('completes a voluntary request each time, and the ID token states the acr reached', async () => {
    const browser = application().openBrowser();
    const { started, response } = await signInSecretary(browser, { acr_values: mfa });
    expect(await claimsOf(started, response)).toMatchObject({ acr: sfa });
    expect((await again(browser, { acr_values: mfa })).response.get('code')).not.toBeNull();
  });

  test('ends an essential request with unmet_authentication_requirements', async () => {
    const browser = application().openBrowser();
    const changes = { claims: essential(mfa) };
    expect((await signInSecretary(browser, changes)).response.get('error')).toBe(
      'unmet_authentication_requirements',
    );
    expect((await again(browser, changes)).response.get('error')).toBe('unmet_authentication_requirements');
  });
});

test('ignores unknown voluntary acr values and rejects unknown essential values', async () => {
  const browser = application().openBrowser();
  await signInDirector(browser, {});
  expect((await again(browser, { acr_values: '1 2' })).response.get('code')).not.toBeNull();
  const { response } = await again(browser, { claims: essential('1', '2') });
  expect(response.get('error')).toBe('unmet_authentication_requirements');
});
