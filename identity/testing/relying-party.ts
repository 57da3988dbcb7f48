import { createHash, randomBytes } from 'node:crypto';
import type { Answer, Browser, Reachable } from './browser.ts';

/** An OpenID Connect client without a library, so that tests can send invalid requests. */
export type RelyingParty = { clientId: string; redirectUri: string };

export type Request = { address: string; codeVerifier: string; state: string; nonce: string };

/** Builds an authorization request. `changes` overrides parameters; undefined omits a parameter. */
export function authorizeAddress(
  party: RelyingParty,
  changes: Record<string, string | undefined> = {},
): Request {
  const codeVerifier = randomBytes(32).toString('base64url');
  const state = randomBytes(12).toString('base64url');
  const nonce = randomBytes(12).toString('base64url');
  const parameters: Record<string, string | undefined> = {
    client_id: party.clientId,
    redirect_uri: party.redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return { address: `/connect/authorize?${query.toString()}`, codeVerifier, state, nonce };
}

/** Sends a browser to the authorization endpoint, and returns the `ReturnUrl` of the sign-in page. */
export async function beginSignIn(
  browser: Browser,
  party: RelyingParty,
  changes: Record<string, string | undefined> = {},
): Promise<Request & { returnUrl: string }> {
  const request = authorizeAddress(party, changes);
  const { address, answer } = await browser.follow(request.address);
  const returnUrl = address.searchParams.get('ReturnUrl');
  if (address.pathname !== '/ui/account/login' || returnUrl === null) {
    const errorId = address.searchParams.get('errorId');
    const record = errorId === null ? '' : (await browser.call('/api/ui/error-message', { errorId })).text;
    throw new Error(`authorize answered ${answer?.status} at ${address.href} ${record}`);
  }
  await browser.call('/api/ui/auth-context', { returnUrl });
  return { ...request, returnUrl };
}

/** Calls the token endpoint. */
export async function askForTokens(
  app: Reachable,
  publicUrl: string,
  party: RelyingParty,
  form: Record<string, string>,
): Promise<Answer> {
  const response = await app.inject({
    method: 'POST',
    url: '/connect/token',
    headers: {
      host: new URL(publicUrl).host,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    payload: new URLSearchParams({ client_id: party.clientId, ...form }).toString(),
  });
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    cookies: [],
    text: response.body,
    json: () => JSON.parse(response.body) as Record<string, unknown>,
  };
}
