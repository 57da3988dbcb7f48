import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';

/** Somebody as the company's directory has them. */
export type Employee = { sub: string } & Record<string, unknown>;

/** A real OpenID provider of another organisation, on a port of its own: `oidc-provider`, set up as such companies do. */
export type OpenidCompany = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in at the next visit, without a form. */
  employee: Employee;
  /** When they did; now, when absent. */
  signedInAt: Date | undefined;
  /** Runs before the company answers the next request for tokens: what happens meanwhile. */
  beforeTokens: (() => Promise<unknown>) | undefined;
  /** What its last authorize request asked for. */
  asked: () => URLSearchParams;
  /** A browser that was sent there comes back with this address. Each call is a browser without cookies. */
  visit: (address: string) => Promise<URL>;
  /** How often each path was asked for. */
  count: (path: string) => number;
  /** It stops answering, and answers again. */
  goAway: () => Promise<void>;
  comeBack: () => Promise<void>;
  /** New signing keys; those of before are not published any more. */
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

  function set(): void {
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
    rollKeys: set,
    close: () => company.goAway(),
  };
  set();
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

/** Follows redirections, with the cookies that are set on the way, until they lead away from the provider. */
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
  throw new Error('The company sends in circles');
}
