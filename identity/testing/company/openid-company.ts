import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';

/** The claims of an employee. */
export type Employee = { sub: string } & Record<string, unknown>;

/** The OpenID provider of another organisation, on its own port: a real `oidc-provider`. */
export type OpenidCompany = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The employee who signs in at the next visit, without a form. */
  employee: Employee;
  /** When the employee authenticated at the provider; default: now. */
  signedInAt: Date | undefined;
  /** Runs before the next token response, to simulate concurrent changes. */
  beforeTokens: (() => Promise<unknown>) | undefined;
  /** The parameters of the last authorization request. */
  asked: () => URLSearchParams;
  /** Signs in with a new browser, and returns the address that it is redirected to. */
  visit: (address: string) => Promise<URL>;
  /** The number of requests for a path. */
  count: (path: string) => number;
  /** Stops the server; `comeBack` starts it again. */
  goAway: () => Promise<void>;
  comeBack: () => Promise<void>;
  /** Replaces the published signing keys. */
  rollKeys: () => void;
  close: () => Promise<void>;
};

export const elias: Employee = {
  sub: 'e-1001',
  email: 'employee@corp.example',
  email_verified: true,
  given_name: 'Elias',
  family_name: 'Marchetti',
};

export async function startOpenidCompany({
  redirectUri,
  configuration = {},
}: {
  redirectUri: string;
  configuration?: Configuration;
}): Promise<OpenidCompany> {
  const clientId = 'anteroom';
  const clientSecret = randomBytes(24).toString('base64url');
  const counts = new Map<string, number>();
  let asked = new URLSearchParams();
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    if (pathname === '/auth') asked = searchParams;
    const { beforeTokens } = company;
    if (pathname !== '/token' || beforeTokens === undefined) return handle(request, response);
    company.beforeTokens = undefined;
    void beforeTokens().then(() => handle(request, response));
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  function createProvider(): void {
    const provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      jwks: { keys: [createKey()] },
      cookies: { keys: ['only here'] },
      claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...company.employee }) }),
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({
          clientId,
          accountId: ctx.oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      ...configuration,
    });
    const answer = provider.callback();
    handle = (request, response) => {
      if (request.url?.startsWith('/sign-in/') !== true) {
        void answer(request, response);
        return;
      }
      const ts = company.signedInAt && Math.floor(company.signedInAt.getTime() / 1000);
      void provider.interactionFinished(request, response, {
        login: { accountId: company.employee.sub, ...(ts !== undefined && { ts }) },
      });
    };
  }

  const company: OpenidCompany = {
    issuer,
    clientId,
    clientSecret,
    employee: elias,
    signedInAt: undefined,
    beforeTokens: undefined,
    asked: () => asked,
    visit: (address) => travel(address, issuer),
    count: (path) => counts.get(path) ?? 0,
    goAway: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    comeBack: () => listen(port),
    rollKeys: createProvider,
    close: () => company.goAway(),
  };
  createProvider();
  return company;
}

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(6).toString('hex'),
    use: 'sig',
    alg: 'RS256',
  };
}

/** Follows redirects with their cookies, until they lead to another origin. */
async function travel(address: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(address);
  for (let hop = 0; hop < 10; hop += 1) {
    if (next.origin !== issuer) return next;
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The company answered ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next);
  }
  throw new Error('The company redirects in a loop');
}
