import { demoPassword } from '../src/demo/demo-data.ts';
import { portal, publicUrl } from './application.ts';
import type { Answer, Browser, Reachable } from './browser.ts';
import { askForTokens, beginSignIn } from './relying-party.ts';
import type { Request } from './relying-party.ts';

export const secretary = { site: 'harbor', userName: 'secretary@demo.example', password: demoPassword };

type Started = Request & { returnUrl: string };

/** Sends credentials for a started sign-in. */
export function sendPassword(
  browser: Browser,
  { returnUrl }: Pick<Started, 'returnUrl'>,
  credentials: { site?: string; userName?: string; password: string } = secretary,
): Promise<Answer> {
  return browser.post('/api/ui/authenticate', { returnUrl, ...credentials });
}

/** Follows the redirect to the application, and returns its parameters. */
export async function followToApplication(browser: Browser, answer: Answer): Promise<URLSearchParams> {
  const { status, location } = answer.json();
  if (status !== 'redirect') throw new Error(`the sign-in answered ${answer.text}`);
  const { address } = await browser.follow(String(location));
  if (!address.href.startsWith(portal.redirectUri))
    throw new Error(`the sign-in redirected to ${address.href}`);
  return address.searchParams;
}

/** Signs in with a password, up to the authorization code. */
export async function signIn(
  browser: Browser,
  changes: Record<string, string | undefined> = {},
  credentials = secretary,
): Promise<Started & { code: string }> {
  const started = await beginSignIn(browser, portal, changes);
  const parameters = await followToApplication(browser, await sendPassword(browser, started, credentials));
  const code = parameters.get('code');
  if (code === null) throw new Error(`the application received ${parameters.toString()}`);
  return { ...started, code };
}

/** Redeems an authorization code as the demo portal; `changes` overrides parameters. */
export function redeem(
  { app }: { app: Reachable },
  { code, codeVerifier }: { code: string; codeVerifier: string },
  changes: Record<string, string> = {},
): Promise<Answer> {
  return askForTokens(app, publicUrl, portal, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: portal.redirectUri,
    code_verifier: codeVerifier,
    ...changes,
  });
}

/** Follows the redirect to the application, which redeems its code. Returns the answer with the tokens. */
export async function obtainTokens(
  application: { app: Reachable },
  browser: Browser,
  { codeVerifier }: Pick<Started, 'codeVerifier'>,
  answer: Answer,
): Promise<Answer> {
  const code = (await followToApplication(browser, answer)).get('code') ?? '';
  return redeem(application, { code, codeVerifier });
}

/** Calls the UserInfo endpoint. */
export async function askUserInfo({ app }: { app: Reachable }, accessToken: unknown) {
  const response = await app.inject({
    url: '/connect/userinfo',
    headers: { host: new URL(publicUrl).host, authorization: `Bearer ${String(accessToken)}` },
  });
  return { status: response.statusCode, claims: JSON.parse(response.body) as Record<string, unknown> };
}

/** Decodes the claims of an ID token without verifying it. */
export function readIdToken(tokens: Answer): Record<string, unknown> {
  if (tokens.status !== 200) throw new Error(`the token endpoint answered ${tokens.text}`);
  const payload = String(tokens.json()['id_token']).split('.')[1] ?? '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}
