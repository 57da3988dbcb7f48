import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { connect } from '../../testing/company/connect.ts';
import { elias, startOpenidCompany } from '../../testing/company/openid-company.ts';
import type { OpenidCompany } from '../../testing/company/openid-company.ts';
import { readIdToken } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { fetchTokens, openVisitor } from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

/** The federated company's site: its home region is us, and its users have no passwords. */
const corp = 'corp';
const agenda = 'http://localhost:4401/agenda';

describe('a federated site of region us, entered on the sign-in page of eu', () => {
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

  /**
   * Sends the calls of the eu page to us: for the site's sign-in methods, then for the redirect target of this sign-in.
   */
  async function askUs({ us }: Visitor, returnUrl: string): Promise<unknown[]> {
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-site', origin: regions().eu.url };
    const ask = async (what: string, query: Record<string, string>) => {
      const all = new URLSearchParams({ returnUrl, site: corp, ...query });
      const path = `/api/ui/auth/settings/${what}?${all.toString()}`;
      return (await us.visit(path, { ...headers, 'accept-language': 'ar' })).json();
    };
    return [await ask('site', {}), await ask('user', { usernameOrEmail: 'employee@corp.example' })];
  }
  /** Navigates from the eu page to the identity provider. A navigation has no Origin header. */
  const leave = ({ us }: Visitor, returnUrl: string, query: Record<string, string> = {}) => {
    const all = new URLSearchParams({ site: corp, returnUrl, forceAuthentication: 'false', ...query });
    return us.visit(`/api/ui/auth/external/redirect?${all.toString()}`, { 'sec-fetch-site': 'same-site' });
  };
  async function name(parameters: Record<string, string> = {}) {
    const visitor = openVisitor(regions());
    const { returnUrl } = await beginSignIn(visitor.eu, portal, parameters);
    return { visitor, returnUrl, asked: await askUs(visitor, returnUrl) };
  }
  const isSignedIn = async (browser: Visitor['us']) => (await browser.call('/api/ui/sites')).status === 200;

  test('leads from the eu page through the identity provider to the application, with tokens from us', async () => {
    const { visitor, returnUrl, asked } = await name({ target_link_uri: agenda });
    const { us } = regions();
    expect(asked).toEqual([{ allowPasswordEntry: false }, { shouldRedirectToExternalAuth: true }]);
    const left = await leave(visitor, returnUrl);
    expect(left.headers['location']).toMatch(new RegExp(`^${company.issuer}/auth\\?`));
    const back = await company.visit(left.headers['location'] ?? '');
    // A user with a session at the identity provider is not prompted there and need not type the e-mail address again.
    expect(company.asked().has('prompt')).toBe(false);
    expect(company.asked().get('login_hint')).toBe('employee@corp.example');

    const arrived = await visitor.us.visit(back.href);
    expect(arrived.status, arrived.text).toBe(303);
    const beginning = new URL(arrived.headers['location'] ?? '');
    expect(`${beginning.origin}${beginning.pathname}`).toBe('http://localhost:4401/initiate-sign-in');
    expect(Object.fromEntries(beginning.searchParams)).toEqual({ iss: us.url, target_link_uri: agenda });

    const tokens = await fetchTokens(us, visitor.us);
    expect(readIdToken(tokens)).toMatchObject({ iss: us.url, site: corp, amr: ['fed'] });
    expect(await isSignedIn(visitor.eu)).toBe(false);
    // the pages of us continue in the language of the eu page
    expect(visitor.us.cookies.get('anteroom_locale')?.value).toBe('ar');
  });

  test.each([
    ['the application requests it', { prompt: 'login' }, {}],
    ['the application requests a recent sign-in', { max_age: '60' }, {}],
    ['the page asks the user to confirm their identity', {}, { forceAuthentication: 'true' }],
  ])('ForceAuthentication: the identity provider prompts again when %s', async (_name, parameters, query) => {
    const { visitor, returnUrl } = await name(parameters);
    await company.visit((await leave(visitor, returnUrl, query)).headers['location'] ?? '');
    expect(company.asked().get('prompt')).toBe('login');
  });

  test('a response in another browser signs nobody in, and the original browser can still continue [S14]', async () => {
    const { visitor, returnUrl } = await name();
    const { visitor: victim } = await name();
    const back = await company.visit((await leave(visitor, returnUrl)).headers['location'] ?? '');
    expect((await victim.us.visit(back.href)).headers['location']).toContain('/ui/home/error');
    expect(await isSignedIn(victim.us)).toBe(false);
    expect((await visitor.us.visit(back.href)).headers['location']).toContain('/initiate-sign-in?');
  });

  test('a browser that has not come from an eu page is not redirected to the identity provider [S14]', async () => {
    const { returnUrl } = await name();
    const otherVisitor = openVisitor(regions());
    await otherVisitor.us.call('/api/ui/logout-context');
    expect((await leave(otherVisitor, returnUrl)).status).toBe(404);
  });

  test('a user whom us does not know gets the error page of us and no session in either region', async () => {
    company.employee = { ...elias, sub: 'e-9', email: 'nobody@corp.example' };
    const { visitor, returnUrl } = await name();
    const back = await company.visit((await leave(visitor, returnUrl)).headers['location'] ?? '');
    const refused = new URL((await visitor.us.visit(back.href)).headers['location'] ?? '', regions().us.url);
    expect([refused.origin, refused.pathname]).toEqual([regions().us.url, '/ui/home/error']);
    expect([await isSignedIn(visitor.us), await isSignedIn(visitor.eu)]).toEqual([false, false]);
    // "Start again" leads back to eu, where the sign-in started. The page of region us only has the sign-in's id in region us.
    const again = refused.searchParams.get('ReturnUrl') ?? '';
    const where = await visitor.us.call('/api/ui/auth/post-login-redirect', { returnUrl: again });
    expect(String(where.json()['location'])).toMatch(new RegExp(`^${regions().eu.url}/connect/authorize\\?`));
  });
});
