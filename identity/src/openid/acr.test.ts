import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { goBack, readIdToken, redeem, secretary, sendPassword } from '../../testing/journeys.ts';
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
  const { text } = await application()
    .services.database.selectFrom('outbox')
    .select('text')
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow();
  const code = /#(\d{6})$/.exec(text)?.[1] ?? '';
  return await browser.post('/api/ui/verify-mfa-code', { returnUrl, code });
}

/** Signs the director in, with the code where it is asked for; answers the claims. */
async function signInDirector(browser: Browser, changes: Record<string, string>) {
  const started = await beginSignIn(browser, portal, changes);
  const answer = await sendPassword(browser, started, director);
  const isAsked = answer.json()['status'] === 'second_factor_required';
  const done = isAsked ? await enterCode(browser, started.returnUrl) : answer;
  return { isAsked, claims: await claimsOf(started, await goBack(browser, done)) };
}

const claimsOf = async (request: Request, told: URLSearchParams) =>
  readIdToken(await redeem(application(), { ...request, code: told.get('code') ?? '' }));

/** Asks again in a browser that is signed in. */
async function again(browser: Browser, changes: Record<string, string>) {
  const request = authorizeAddress(portal, changes);
  const { address } = await browser.follow(request.address);
  return { request, address, told: address.searchParams };
}

/** A browser in which the director is remembered, with a session of the password alone. */
async function rememberedBrowser(): Promise<Browser> {
  const browser = application().openBrowser();
  await signInDirector(browser, {});
  browser.cookies.delete('__Host-anteroom_session');
  const { claims } = await signInDirector(browser, {});
  expect(claims).toMatchObject({ amr: ['pwd'], acr: sfa });
  await application().services.database.deleteFrom('code_messages').execute();
  return browser;
}

describe('acr in the ID token', () => {
  test('is the strongest context that the factors reach', async () => {
    const { claims } = await signInDirector(application().openBrowser(), {});
    expect(claims).toMatchObject({ amr: ['pwd', 'sms'], acr: mfa });
  });

  test.each([
    [['pwd'], sfa],
    [['pwd', 'otp'], mfa],
    [['fed'], undefined],
    [['fed', 'sms'], mfa],
    [[], undefined],
  ] as const)('%j is %s', (methods, acr) => expect(findAcr(methods)).toBe(acr));

  test('of a stronger sign-in is enough for a weaker request, and not the reverse', () => {
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
  ])('by %s asks for a code, also on a computer that is remembered', async (_name, changes) => {
    const browser = await rememberedBrowser();
    const { isAsked, claims } = await signInDirector(browser, changes);
    expect(isAsked).toBe(true);
    expect(claims).toMatchObject({ acr: mfa });
    expect((await again(browser, changes)).told.get('code')).not.toBeNull();
  });

  test('passes without a page in a session that has shown one', async () => {
    const browser = application().openBrowser();
    await signInDirector(browser, {});
    const { request, told } = await again(browser, { acr_values: mfa, prompt: 'none' });
    expect(await claimsOf(request, told)).toMatchObject({ acr: mfa });
  });

  test('without a page tells the client what is missing when it is essential, and what there is otherwise', async () => {
    const browser = await rememberedBrowser();
    const silent = { prompt: 'none' };
    expect((await again(browser, { ...silent, claims: essential(mfa) })).told.get('error')).toBe(
      'interaction_required',
    );
    const { request, told } = await again(browser, { ...silent, acr_values: mfa });
    expect(await claimsOf(request, told)).toMatchObject({ acr: sfa });
  });
});

describe('a user without a second factor', () => {
  const signInSecretary = async (browser: Browser, changes: Record<string, string>) => {
    const started = await beginSignIn(browser, portal, changes);
    const told = await goBack(browser, await sendPassword(browser, started, secretary));
    return { started, told };
  };

  test('passes a voluntary request for one, each time, and the ID token says what was shown', async () => {
    const browser = application().openBrowser();
    const { started, told } = await signInSecretary(browser, { acr_values: mfa });
    expect(await claimsOf(started, told)).toMatchObject({ acr: sfa });
    expect((await again(browser, { acr_values: mfa })).told.get('code')).not.toBeNull();
  });

  test('ends an essential request with an error that the client reads', async () => {
    const browser = application().openBrowser();
    const changes = { claims: essential(mfa) };
    expect((await signInSecretary(browser, changes)).told.get('error')).toBe(
      'unmet_authentication_requirements',
    );
    expect((await again(browser, changes)).told.get('error')).toBe('unmet_authentication_requirements');
  });
});

test('values that the service does not know are left when they are voluntary, and refused when essential', async () => {
  const browser = application().openBrowser();
  await signInDirector(browser, {});
  expect((await again(browser, { acr_values: '1 2' })).told.get('code')).not.toBeNull();
  const { told } = await again(browser, { claims: essential('1', '2') });
  expect(told.get('error')).toBe('unmet_authentication_requirements');
});
