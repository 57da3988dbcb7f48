import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { connect } from '../../testing/company/connect.ts';
import { elias, startOpenidCompany } from '../../testing/company/openid-company.ts';
import type { OpenidCompany } from '../../testing/company/openid-company.ts';
import { readIdToken } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { fetchTokens, openTraveller } from '../../testing/regions/traveller.ts';
import type { Traveller } from '../../testing/regions/traveller.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

/** The company's site: its home is us, and it has no passwords. */
const corp = 'corp';
const agenda = 'http://localhost:4401/agenda';

describe('a site of us whose people sign in over their company, named at eu', () => {
  const regions = useRegions();
  let company: OpenidCompany;

  beforeAll(async () => {
    const { us } = regions();
    company = await startOpenidCompany({ redirectUri: `${us.url}/external/callback` });
    await us.services.database.deleteFrom('connection_domains').execute();
    await connect(us, {
      name: 'company of us',
      settings: { issuer: company.issuer, clientId: company.clientId },
      clientSecret: company.clientSecret,
      domains: ['corp.example'],
      sites: [corp],
    });
  });
  afterAll(() => company.close());
  beforeEach(() => Object.assign(company, { employee: elias }));

  /** What the page of eu asks of us: how people sign in at the site, and then where this one does. */
  async function askUs({ us }: Traveller, returnUrl: string): Promise<unknown[]> {
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-site', origin: regions().eu.url };
    const ask = async (what: string, query: Record<string, string>) => {
      const all = new URLSearchParams({ returnUrl, site: corp, ...query });
      const path = `/api/ui/auth/settings/${what}?${all.toString()}`;
      return (await us.visit(path, { ...headers, 'accept-language': 'ar' })).json();
    };
    return [await ask('site', {}), await ask('user', { usernameOrEmail: 'employee@corp.example' })];
  }
  /** The browser follows the page of eu to the company; a navigation does not say where it comes from. */
  const leave = ({ us }: Traveller, returnUrl: string, query: Record<string, string> = {}) => {
    const all = new URLSearchParams({ site: corp, returnUrl, forceAuthentication: 'false', ...query });
    return us.visit(`/api/ui/auth/external/redirect?${all.toString()}`, { 'sec-fetch-site': 'same-site' });
  };
  async function name(parameters: Record<string, string> = {}) {
    const traveller = openTraveller(regions());
    const { returnUrl } = await beginSignIn(traveller.eu, portal, parameters);
    return { traveller, returnUrl, asked: await askUs(traveller, returnUrl) };
  }
  const isSignedIn = async (browser: Traveller['us']) => (await browser.call('/api/ui/sites')).status === 200;

  test('goes from the page of eu over the company to the application, which gets its tokens from us', async () => {
    const { traveller, returnUrl, asked } = await name({ target_link_uri: agenda });
    const { us } = regions();
    expect(asked).toEqual([{ allowPasswordEntry: false }, { shouldRedirectToExternalAuth: true }]);
    const left = await leave(traveller, returnUrl);
    expect(left.headers['location']).toMatch(new RegExp(`^${company.issuer}/auth\\?`));
    const back = await company.visit(left.headers['location'] ?? '');
    // who is signed in at the company is not asked there again, and the address is not to be typed again
    expect(company.asked().has('prompt')).toBe(false);
    expect(company.asked().get('login_hint')).toBe('employee@corp.example');

    const arrived = await traveller.us.visit(back.href);
    expect(arrived.status, arrived.text).toBe(303);
    const beginning = new URL(arrived.headers['location'] ?? '');
    expect(`${beginning.origin}${beginning.pathname}`).toBe('http://localhost:4401/initiate-sign-in');
    expect(Object.fromEntries(beginning.searchParams)).toEqual({ iss: us.url, target_link_uri: agenda });

    const tokens = await fetchTokens(us, traveller.us);
    expect(readIdToken(tokens)).toMatchObject({ iss: us.url, site: corp, amr: ['fed'] });
    expect(await isSignedIn(traveller.eu)).toBe(false);
    // and pages of us go on in the language of that of eu
    expect(traveller.us.cookies.get('anteroom_locale')?.value).toBe('ar');
  });

  test.each([
    ['the application asks for it', { prompt: 'login' }, {}],
    ['the application asks for a recent one', { max_age: '60' }, {}],
    ['the page confirms that it is you', {}, { forceAuthentication: 'true' }],
  ])('ForceAuthentication: the company asks again where %s', async (_name, parameters, query) => {
    const { traveller, returnUrl } = await name(parameters);
    await company.visit((await leave(traveller, returnUrl, query)).headers['location'] ?? '');
    expect(company.asked().get('prompt')).toBe('login');
  });

  test('S14: an answer in another browser signs nobody in, and its own browser still goes on', async () => {
    const { traveller, returnUrl } = await name();
    const { traveller: victim } = await name();
    const back = await company.visit((await leave(traveller, returnUrl)).headers['location'] ?? '');
    expect((await victim.us.visit(back.href)).headers['location']).toContain('/ui/home/error');
    expect(await isSignedIn(victim.us)).toBe(false);
    expect((await traveller.us.visit(back.href)).headers['location']).toContain('/initiate-sign-in?');
  });

  test('S14: nobody is led to the company whose browser has not come from a page of eu before', async () => {
    const { returnUrl } = await name();
    const stranger = openTraveller(regions());
    await stranger.us.call('/api/ui/logout-context');
    expect((await leave(stranger, returnUrl)).status).toBe(404);
  });

  test('whom the company vouches for and nobody knows at us is told so by us, and is nowhere signed in', async () => {
    company.employee = { ...elias, sub: 'e-9', email: 'nobody@corp.example' };
    const { traveller, returnUrl } = await name();
    const back = await company.visit((await leave(traveller, returnUrl)).headers['location'] ?? '');
    const refused = new URL(
      (await traveller.us.visit(back.href)).headers['location'] ?? '',
      regions().us.url,
    );
    expect([refused.origin, refused.pathname]).toEqual([regions().us.url, '/ui/home/error']);
    expect([await isSignedIn(traveller.us), await isSignedIn(traveller.eu)]).toEqual([false, false]);
    // "start again" leads to where it was asked: the page of us knows its own name of the sign-in, which began at eu
    const again = refused.searchParams.get('ReturnUrl') ?? '';
    const where = await traveller.us.call('/api/ui/auth/post-login-redirect', { returnUrl: again });
    expect(String(where.json()['location'])).toMatch(new RegExp(`^${regions().eu.url}/connect/authorize\\?`));
  });
});
