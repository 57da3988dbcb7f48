import { inflateRawSync } from 'node:zlib';
import { publicUrl } from '../application.ts';
import type { TestApplication } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';

/** Decodes the authentication request in a redirect to the identity provider. */
export function readRequest(address: string): { id: string; xml: string; address: URL } {
  const url = new URL(address);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const id = / ID="([^"]*)"/.exec(xml)?.[1] ?? '';
  return { id, xml, address: url };
}

/** Starts a sign-in at the site's identity provider, and returns the address that the browser is redirected to. */
export async function leave(
  browser: Browser,
  returnUrl: string,
  query: Record<string, string> = {},
): Promise<string> {
  const all = new URLSearchParams({ site: 'corp', returnUrl, ...query });
  const answer = await browser.visit(`/saml/sp-initiated-sso?${all.toString()}`);
  if (answer.status !== 302) throw new Error(`the sign-in did not start: ${answer.text}`);
  return answer.headers['location'] ?? '';
}

/** A form submission from a page of another site, without cookies. */
export async function post(
  { app }: Pick<TestApplication, 'app'>,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      host: new URL(publicUrl).host,
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.corp.example',
      'sec-fetch-site': 'cross-site',
      ...headers,
    },
    payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    cookies: [response.headers['set-cookie'] ?? []].flat(),
    text: response.body,
    json: () => JSON.parse(response.body) as Record<string, unknown>,
  };
}
