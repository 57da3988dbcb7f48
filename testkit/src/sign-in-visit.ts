import { createHash, randomBytes } from 'node:crypto';
import { calls } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import type { Answer, Visitor } from './visitor.ts';

/** A client that is registered at the service. */
export interface RelyingParty {
  clientId: string;
  clientSecret?: string;
  redirectUri: string;
}

/** A sign-in that has been started and needs a password. */
export interface OpenSignIn {
  visitor: Visitor;
  issuer: string;
  party: RelyingParty;
  returnUrl: string;
  codeVerifier: string;
}

function requireStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status !== status)
    throw new Error(`${what} answered ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`);
  return answer;
}

/** The parameters of an authorization request. */
export function authorizationParameters(party: RelyingParty, codeVerifier: string): Record<string, string> {
  return {
    client_id: party.clientId,
    redirect_uri: party.redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: randomBytes(8).toString('hex'),
    nonce: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
}

/** Follows the authorization request of an application, and loads the context of the sign-in page. */
export async function beginSignIn(
  visitor: Visitor,
  issuer: string,
  party: RelyingParty,
  more: Record<string, string> = {},
): Promise<OpenSignIn> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({ ...authorizationParameters(party, codeVerifier), ...more });
  const authorize = await visitor.ask(`${issuer}/connect/authorize?${query.toString()}`);
  const page = new URL(String(authorize.headers.location), issuer);
  const returnUrl = page.searchParams.get('ReturnUrl');
  if (!returnUrl)
    throw new Error(`Authorize answered ${authorize.status} and led to ${page.href}, no sign-in page.`);
  const context = `${issuer}${calls.getAuthContext.path}?${new URLSearchParams({ returnUrl }).toString()}`;
  requireStatus(await visitor.ask(context), 200, 'auth-context');
  return { visitor, issuer, party, returnUrl, codeVerifier };
}

export interface Credentials {
  site: string;
  userName: string;
  password: string;
}

/** Sends the password and returns the response. */
export async function sendPassword(
  signIn: OpenSignIn,
  { site, userName, password }: Credentials,
): Promise<Answer> {
  return signIn.visitor.ask(`${signIn.issuer}${calls.authenticate.path}`, {
    body: { returnUrl: signIn.returnUrl, site, userName, password },
  });
}

/** Sends the right password of a user who needs no further step, and returns the redirect URL. */
export async function signInWithPassword(signIn: OpenSignIn, credentials: Credentials): Promise<string> {
  const answer = requireStatus(await sendPassword(signIn, credentials), 200, 'authenticate');
  const { status, location } = JSON.parse(answer.text) as CallAnswer<'authenticate'>;
  if (status !== 'redirect' || !location)
    throw new Error(`authenticate answered the status ${String(status)}.`);
  return location;
}

/** Follows the redirect to the application and exchanges the authorization code for tokens. */
export async function redeemCode(
  signIn: OpenSignIn,
  location: string,
  tokenPath = '/connect/token',
): Promise<{ id_token: string }> {
  const { visitor, issuer, party } = signIn;
  let address = new URL(location, issuer);
  for (let hop = 0; hop < 5 && !address.href.startsWith(party.redirectUri); hop += 1) {
    const answer = await visitor.ask(address.href);
    if (!answer.headers.location)
      throw new Error(`${address.pathname} answered ${answer.status} and leads nowhere.`);
    address = new URL(answer.headers.location, issuer);
  }
  const code = address.searchParams.get('code');
  if (!code) throw new Error(`The application got no code but ${address.search}.`);
  const secret = party.clientSecret;
  const tokens = await visitor.ask(`${issuer}${tokenPath}`, {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: party.redirectUri,
      code_verifier: signIn.codeVerifier,
      ...(secret ? {} : { client_id: party.clientId }),
    },
    headers: secret
      ? { Authorization: `Basic ${Buffer.from(`${party.clientId}:${secret}`).toString('base64')}` }
      : {},
  });
  return JSON.parse(requireStatus(tokens, 200, 'token').text) as { id_token: string };
}
