import type { InjectOptions } from 'fastify';

/** The service, wherever it is: in this process, or in others behind a port (`nodes/http-service.ts`). */
export type Reachable = {
  inject: (
    options: InjectOptions,
  ) => Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }>;
};

export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** Every `Set-Cookie` line of the answer. */
  cookies: string[];
  text: string;
  json: () => Record<string, unknown>;
};

type Cookie = { value: string; path: string };

/** A browser as the service sees one: it keeps cookies, follows redirects, and sends the anti-forgery value back. */
export type Browser = {
  cookies: Map<string, Cookie>;
  /** A navigation; redirects are not followed. */
  visit: (address: string, headers?: Record<string, string>) => Promise<Answer>;
  /** Navigates on until an answer is no redirect or leads away from the service; answers the last address. */
  follow: (address: string) => Promise<{ address: URL; answer: Answer | undefined }>;
  /** A call of the page. */
  call: (path: string, query?: Record<string, string>) => Promise<Answer>;
  /** A state-changing call of the page, with the anti-forgery value of the cookie. */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** A form that a page of another region has; without the anti-forgery value, which that page cannot know. */
  postForm: (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string>,
  ) => Promise<Answer>;
  /** The same browser at another node of the service. */
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
    for (const line of lines) keepCookie(cookies, line);
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
    visit,
    async follow(address) {
      let next = new URL(address, origin);
      for (let hop = 0; hop < 10 && next.origin === origin; hop += 1) {
        const answer = await visit(next.href);
        if (answer.headers['location'] === undefined) return { address: next, answer };
        next = new URL(answer.headers['location'], next);
        // our own pages are the front end's, which is not built here
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

function keepCookie(cookies: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const value = pair.slice(pair.indexOf('=') + 1);
  const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
  const gone = attributes.some((attribute) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(attribute));
  if (gone) cookies.delete(name);
  else cookies.set(name, { value, path });
}
