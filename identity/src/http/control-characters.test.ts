import { calls } from '@anteroom/contract';
import type { Call } from '@anteroom/contract';
import { boardSystemCalls } from '@anteroom/contract/board-systems';
import { accountCalls } from '@anteroom/contract/account';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import { recoveryCalls } from '@anteroom/contract/recovery';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { secretary, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

// PostgreSQL rejects text with a NUL. For the provider's routes, see ../openid/control-characters.test.ts.

const webDist = makeBuiltFrontEnd();
afterAll(() => rmSync(webDist, { recursive: true }));

const boardSystemKey = 'k'.repeat(43);
/** All settings that add routes are enabled. */
const application = useApplication({
  settings: {
    WEB_DIST: webDist,
    REGIONS: `eu=${publicUrl},us=http://localhost:4500`,
    BOARD_SYSTEM_KEYS: `boards:${createHash('sha256').update(boardSystemKey).digest('hex')}`,
  },
});
const { host } = new URL(publicUrl);

/** Replaces each path parameter by `value`. */
const withParameters = (path: string, value: string): string => path.replaceAll(/:\w+/g, value);

type Route = { method: 'GET' | 'POST'; path: string };

/** Every route of the service, parsed from the router's printed tree. */
function listRoutes(): Route[] {
  const parts: string[] = [];
  return application()
    .app.printRoutes()
    .split('\n')
    .flatMap((line): Route[] => {
      const { indent, part, methods } =
        /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>.+)\))?$/.exec(line)?.groups ?? {};
      if (indent === undefined || part === undefined) return [];
      // The tree lists all names of a parameter (`:name|:site`).
      parts.splice(indent.length / 4, Infinity, withParameters(part.replace(/\|:\w+/, ''), ':x'));
      return (['GET', 'POST'] as const)
        .filter((method) => methods?.split(', ').includes(method) === true)
        .map((method) => ({ method, path: parts.join('') }));
    });
}

const everyCall: readonly Call[] = Object.values<Call>({
  ...calls,
  ...recoveryCalls,
  ...preferenceCalls,
  ...rememberedAccountCalls,
  ...accountCalls,
  ...boardSystemCalls,
});
const fieldsOf = (schema: Call['body']): string[] =>
  schema !== undefined && 'entries' in schema ? Object.keys(schema.entries as object) : [];

/** The parameters of routes that are not calls of the contract. */
const otherNames =
  'client_id redirect_uri state code iss error scope id_token_hint post_logout_redirect_uri ticket request word to logout_token SAMLRequest SAMLResponse RelayState SigAlg Signature';
const names = new Set(
  everyCall
    .flatMap(({ query, body }) => [...fieldsOf(query), ...fieldsOf(body)])
    .concat(otherNames.split(' ')),
);

/** A signed-in browser, so that every route reads its input. */
let browser: Browser;
let returnUrl: string;
beforeAll(async () => {
  browser = application().openBrowser();
  await signIn(browser);
  ({ returnUrl } = await beginSignIn(browser, portal, { prompt: 'login' }));
});

function cookiesWith(name = '', value = ''): string {
  const cookies = [...browser.cookies].map(([own, kept]) => `${own}=${own === name ? value : kept.value}`);
  return cookies.join('; ');
}

/** Sends a request to every route. Returns those that failed or logged an error. */
async function findFailures(
  createRequests: (route: Route) => Iterable<InjectOptions & { url: string }>,
): Promise<unknown[]> {
  const { app, log, services } = application();
  const failures: unknown[] = [];
  for (const route of listRoutes()) {
    for (const request of createRequests(route)) {
      const before = log.length;
      const answer = await app.inject({
        method: route.method,
        ...request,
        headers: {
          host,
          origin: publicUrl,
          cookie: cookiesWith(),
          'x-xsrf-token': browser.cookies.get('XSRF-TOKEN')?.value ?? '',
          ...(route.path.startsWith('/api/board-systems/') && { authorization: `Bearer ${boardSystemKey}` }),
          ...request.headers,
        },
      });
      const logged = log.slice(before).filter(({ level }) => level === 'error' || level === 'fatal');
      if (answer.statusCode >= 500 || logged.length > 0)
        failures.push({ ...request, status: answer.statusCode, body: answer.body, logged });
    }
  }
  const before = log.length;
  // Verifies that the audit events of these requests can be written.
  await services.audit.flush();
  failures.push(...log.slice(before).filter(({ level }) => level === 'error'));
  return failures;
}

const callOf = ({ method, path }: Route): Call | undefined =>
  everyCall.find((one) => one.method === method && withParameters(one.path, ':x') === path);

const isManagement = ({ path }: Route): boolean => path.startsWith('/api/manage/');
const managementNames = 'search limit cursor dry-run tree user site event from to'.split(' ');

const isApi = ({ path }: Route): boolean => path.startsWith('/api/');

test('the list of routes covers every part of the service (control)', () => {
  const paths = listRoutes().map(({ method, path }) => `${method} ${path}`);
  for (const { method, path } of everyCall)
    expect(paths).toContain(`${method} ${withParameters(path, ':x')}`);
  for (const route of [
    'POST /connect/token',
    'GET /connect/authorize/:x',
    'GET /external/callback',
    'POST /external/back-channel-sign-out/:x',
    'POST /saml/acs',
    'GET /saml/slo/:x',
    'POST /regions/arrive',
    'GET /account/*',
  ])
    expect(paths).toContain(route);
});

describe('no route fails or logs an error because of a NUL or another control character [S61]', () => {
  test('in the path', async () => {
    const failures = await findFailures(function* ({ path }) {
      const hostile = withParameters(path, 'a%00b').replace('*', 'a%00b');
      if (hostile !== path) yield { url: hostile };
    });
    expect(failures).toEqual([]);
  });

  test('in a query parameter', async () => {
    const failures = await findFailures(function* (route) {
      const { path } = route;
      const call = callOf(route);
      const known = isManagement(route) ? managementNames : names;
      for (const name of call === undefined ? known : fieldsOf(call.query))
        yield { url: `${withParameters(path, 'harbor')}?${name}=a%00b` };
    });
    expect(failures).toEqual([]);
  });

  test('in a form field', async () => {
    const failures = await findFailures(function* (route) {
      if (route.method !== 'POST' || isApi(route)) return;
      for (const name of names) {
        yield {
          url: withParameters(route.path, 'corp'),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            // `/regions/arrive` accepts only forms of other regions.
            ...(route.path.startsWith('/regions/') && { origin: 'http://localhost:4500' }),
          },
          payload: `${name}=a%00b`,
        };
      }
    });
    expect(failures).toEqual([]);
  });

  test('in a JSON member or a parameter of the return URL', async () => {
    const nested = [...names].map((name) => `${returnUrl}&${name}=a%00b`);
    const inside = [
      ...nested,
      returnUrl.replace(/client_id=\w+/, 'client_id=a%00b'),
      '/connect/authorize?a=%00',
    ];
    const failures = await findFailures(function* (route) {
      const { path } = route;
      const call = callOf(route);
      const fields = fieldsOf(call?.body);
      const honest = Object.fromEntries(
        Object.entries({ ...secretary, usernameOrEmail: secretary.userName, returnUrl }).filter(([name]) =>
          fields.includes(name),
        ),
      );
      const json = (body: Record<string, string>) => ({
        url: path,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ ...honest, ...body }),
      });
      for (const name of fields) yield json({ [name]: 'a\0b' });
      if (fields.includes('returnUrl')) for (const address of inside) yield json({ returnUrl: address });
      if (!fieldsOf(call?.query).includes('returnUrl')) return;
      for (const address of inside)
        yield { url: `${path}?${new URLSearchParams({ returnUrl: address }).toString()}` };
    });
    expect(failures).toEqual([]);
  });

  /** Node rejects every other control character in a header (raw-requests.test.ts). */
  const headerValue = 'a%00\t\u0085b';

  test('in a cookie', async () => {
    const failures = await findFailures(function* ({ path }) {
      for (const name of browser.cookies.keys())
        yield { url: withParameters(path, 'harbor'), headers: { cookie: cookiesWith(name, headerValue) } };
    });
    expect(failures).toEqual([]);
  });

  test('in a header', async () => {
    const headers =
      'accept accept-language user-agent referer origin authorization content-type x-correlation-id correlationid conforming-errors x-forwarded-for x-xsrf-token sec-fetch-site traceparent';
    const failures = await findFailures(function* ({ path }) {
      for (const name of headers.split(' '))
        yield { url: withParameters(path, 'harbor'), headers: { [name]: headerValue } };
    });
    expect(failures).toEqual([]);
  });
});
