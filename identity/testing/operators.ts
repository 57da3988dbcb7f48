import { addSeconds } from '../src/lib/clock.ts';
import { fingerprint } from '../src/provider/fingerprint.ts';
import type { AuthenticationMethod } from '../src/sessions/session.ts';
import { publicUrl } from './application.ts';
import type { TestApplication } from './application.ts';
import { provedNow } from './begin-session.ts';
import type { Answer, Browser } from './browser.ts';
import { askForTokens } from './relying-party.ts';

/** A browser of the console, whose user is signed in with a password and a code. */
export type ConsoleBrowser = Browser & {
  /** A request of the console's script below `/api/manage/`. */
  manage: (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  userId: string;
};

/** Opens the console for a demo user, or for the user with the id. `provedAgoSeconds`: the age of the proof. */
export async function openConsole(
  { services, openBrowser }: Pick<TestApplication, 'services' | 'openBrowser'>,
  who: string,
  {
    methods = ['pwd', 'sms'],
    provedAgoSeconds = 0,
  }: { methods?: AuthenticationMethod[]; provedAgoSeconds?: number } = {},
): Promise<ConsoleBrowser> {
  const { database, sessions, clock } = services;
  const user = await database
    .selectFrom('users')
    .select(['id', 'security_version'])
    .where((where) => where.or([where('user_name', '=', who), where('id', '=', who)]))
    .executeTakeFirstOrThrow();
  const at = addSeconds(clock.now(), -provedAgoSeconds);
  const issued = await sessions.signIn(undefined, {
    account: { id: user.id, securityVersion: user.security_version },
    methods: provedAgoSeconds === 0 ? provedNow(...methods) : methods.map((method) => ({ method, at })),
  });
  if (issued === undefined) throw new Error(`${who} cannot sign in`);
  const browser = openBrowser();
  browser.cookies.set('anteroom_session', { value: issued.cookieValue, path: '/' });
  const console: ConsoleBrowser = {
    ...browser,
    userId: user.id,
    manage: (method, path, body, headers = {}) =>
      browser.send({
        method,
        address: `/api/manage/${path}`,
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: {
          accept: 'application/json',
          origin: services.config.publicUrl,
          'sec-fetch-site': 'same-origin',
          ...(method !== 'GET' && { 'x-xsrf-token': browser.cookies.get('XSRF-TOKEN')?.value ?? '' }),
          ...((body !== undefined || method === 'POST') && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(method === 'POST' && body === undefined && { payload: '{}' }),
      }),
  };
  // sets the anti-forgery cookie
  await console.manage('GET', 'me');
  return console;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Registers a client that may get tokens for the management API with these scopes. */
export async function addSystem(
  {
    services: { database, clock },
    app,
    openBrowser,
  }: Pick<TestApplication, 'services' | 'app' | 'openBrowser'>,
  id: string,
  scopes: readonly string[],
) {
  const secret = 's'.repeat(43);
  const metadata = {
    client_secret: fingerprint(secret),
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    management_scopes: scopes.join(' '),
  };
  await database
    .insertInto('clients')
    .values({
      id,
      display_name: id,
      customizations: '{}',
      metadata: JSON.stringify(metadata),
      created_at: clock.now(),
    })
    .execute();
  return {
    async requestToken(scope: string): Promise<{ answer: Answer; token: string }> {
      const answer = await askForTokens(
        app,
        publicUrl,
        { clientId: id, redirectUri: '' },
        {
          grant_type: 'client_credentials',
          client_secret: secret,
          resource: `${publicUrl}/api/manage`,
          scope,
        },
      );
      return { answer, token: String(answer.json()['access_token']) };
    },
    ask: (token: string, method: Method, path: string, body: unknown = {}): Promise<Answer> =>
      openBrowser().send({
        method,
        address: `/api/manage/${path}`,
        ...((method === 'POST' || method === 'PATCH') && { payload: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${token}`,
          'if-match': '*',
          ...((method === 'POST' || method === 'PATCH') && { 'content-type': 'application/json' }),
        },
      }),
  };
}

/** The routes of the management API, as the server has them. */
export function listManagementRoutes({
  app,
}: Pick<TestApplication, 'app'>): { method: Method; path: string }[] {
  const parts: string[] = [];
  return app
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const { indent, part, methods } =
        /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>.+)\))?$/.exec(line)?.groups ?? {};
      if (indent === undefined || part === undefined) return [];
      parts.splice(indent.length / 4, Infinity, part);
      const path = parts.join('');
      return path.startsWith('/api/manage/')
        ? (['GET', 'POST', 'PATCH', 'DELETE'] as const)
            .filter((method) => methods?.split(', ').includes(method) === true)
            .map((method) => ({ method, path: path.slice('/api/manage'.length) }))
        : [];
    });
}
