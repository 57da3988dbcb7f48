import type { InjectOptions } from 'fastify';

/** The service, either in this process or behind a port (`nodes/http-service.ts`). */
export type Reachable = {
  inject: (
    options: InjectOptions,
  ) => Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }>;
};

export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** Every `Set-Cookie` header. */
  cookies: string[];
  text: string;
  json: () => Record<string, unknown>;
};

type Cookie = { value: string; path: string };

/** A simulated browser, which stores cookies, follows redirects and sends the anti-forgery token. */
export type Browser = {
  cookies: Map<string, Cookie>;
  /** A navigation; redirects are not followed. */
  visit: (address: string, headers?: Record<string, string>) => Promise<Answer>;
  /**
   * Follows redirects until the answer is no redirect, or redirects to another origin or to a page of the front end.
   * Returns the last address.
   */
  follow: (address: string) => Promise<{ address: URL; answer: Answer | undefined }>;
  /** A GET request of the page's script. */
  call: (path: string, query?: Record<string, string>) => Promise<Answer>;
  /** A POST request of the page's script, with the anti-forgery token from the cookie. */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** A form submission from a page of another region, which does not know the anti-forgery token. */
  postForm: (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string>,
  ) => Promise<Answer>;
  /** Any request. */
  send: (options: InjectOptions & { address: string }) => Promise<Answer>;
  /** The same browser with its cookies, connected to another node. */
  at: (app: Reachable) => Browser;
};

export function createBrowser(
  app: Reachable,
  publicUrl: string,
  cookies: Map<string, Cookie> = new Map(),
): Browser {
  const { origin, host } = new URL(publicUrl);

  async function send(options: InjectOptions & { address: string }): Promise<Answer> {
    const url = new URL(options.address, origin);
    const headers: Record<string, string> = { host, cookie: cookieHeader(cookies, url.pathname) };
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = String(value);
    if (headers['cookie'] === '') delete headers['cookie'];
    const { address: _address, ...rest } = options;
    const response = await app.inject({ ...rest, url: `${url.pathname}${url.search}`, headers });
    const lines = [response.headers['set-cookie'] ?? []].flat().map(String);
    for (const line of lines) storeCookie(cookies, line);
    return {
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      cookies: lines,
      text: response.body,
      json: () => JSON.parse(response.body) as Record<string, unknown>,
    };
  }

  const visit: Browser['visit'] = (address, headers = {}) =>
    send({ method: 'GET', address, headers: { accept: 'text/html', ...headers } });

  return {
    cookies,
    send,
    visit,
    async follow(address) {
      let next = new URL(address, origin);
      for (let hop = 0; hop < 10 && next.origin === origin; hop += 1) {
        const answer = await visit(next.href);
        if (answer.headers['location'] === undefined) return { address: next, answer };
        next = new URL(answer.headers['location'], next);
        // the front end is not built in these tests
        if (next.origin === origin && next.pathname.startsWith('/ui/')) return { address: next, answer };
      }
      return { address: next, answer: undefined };
    },
    call: (path, query = {}) =>
      send({
        method: 'GET',
        address: `${path}?${new URLSearchParams(query).toString()}`,
        headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin' },
      }),
    post: (path, body, headers = {}) =>
      send({
        method: 'POST',
        address: path,
        payload: JSON.stringify(body ?? {}),
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          origin,
          'sec-fetch-site': 'same-origin',
          'x-xsrf-token': cookies.get('XSRF-TOKEN')?.value ?? '',
          ...headers,
        },
      }),
    postForm: (path, fields, headers) =>
      send({
        method: 'POST',
        address: path,
        payload: new URLSearchParams(fields).toString(),
        headers: {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
      }),
    at: (other) => createBrowser(other, publicUrl, cookies),
  };
}

function cookieHeader(cookies: Map<string, Cookie>, pathname: string): string {
  return [...cookies]
    .filter(
      ([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    )
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; ');
}

function storeCookie(cookies: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const value = pair.slice(pair.indexOf('=') + 1);
  const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
  const isExpired = attributes.some((attribute) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(attribute));
  if (isExpired) cookies.delete(name);
  else cookies.set(name, { value, path });
}
