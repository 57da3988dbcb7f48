import { portal, publicUrl } from '../application.ts';
import type { Answer } from '../browser.ts';
import { askUserInfo } from '../journeys.ts';
import { askForTokens } from '../relying-party.ts';
import type { Request } from '../relying-party.ts';
import type { Index, User } from './facts.ts';
import { requireProvedToken } from './invariants.ts';
import type { Claims } from './invariants.ts';
import type { State } from './state.ts';
import type { Place } from './steps.ts';

type AccountStates = ReadonlyMap<string, Pick<User, 'epoch' | 'isDisabled'>>;

/** Stores the authorization code that the application received, to be redeemed later. */
export function arrive(state: State, browser: Index, request: Request | undefined, address: URL): void {
  if (request === undefined) return;
  const code = address.href.startsWith(portal.redirectUri) ? address.searchParams.get('code') : null;
  if (code === null) return;
  for (const user of state.users)
    state.held.push({
      kind: 'code',
      browser,
      request,
      code,
      user,
      epoch: user.epoch + user.changing,
    });
}

export async function redeem(state: State, step: Place): Promise<void> {
  const codes = state.held.filter((held) => held.kind === 'code' && held.browser === step.browser);
  state.held = state.held.filter((held) => !codes.includes(held));
  const byCode = Map.groupBy(codes, (held) => (held.kind === 'code' ? held.code : ''));
  for (const [code, owners] of byCode) {
    const [first] = owners;
    if (first?.kind !== 'code') continue;
    const epochs = new Map(owners.map(({ user, epoch }) => [user.id, epoch]));
    const before = states(state);
    const answer = await askForTokens(state.node(step.node).app, publicUrl, portal, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: portal.redirectUri,
      code_verifier: first.request.codeVerifier,
    });
    if (answer.status === 200) examineTokens(state, step.browser, answer, before, epochs);
  }
}

export async function refresh(state: State, step: Place): Promise<void> {
  const held = state.held.find((one) => one.kind === 'tokens' && one.browser === step.browser);
  if (held?.kind !== 'tokens' || held.refreshToken === undefined) return;
  const before = states(state);
  const answer = await askForTokens(state.node(step.node).app, publicUrl, portal, {
    grant_type: 'refresh_token',
    refresh_token: held.refreshToken,
  });
  if (answer.status !== 200) return;
  state.held = state.held.filter((one) => one !== held);
  examineTokens(state, step.browser, answer, before, new Map([[held.user.id, held.epoch]]), true);
}

/** The present states of the accounts. A call is compared with the state before it, because a concurrent change may come later. */
function states(state: State): AccountStates {
  return new Map(state.users.map(({ id, epoch, isDisabled }) => [id, { epoch, isDisabled }]));
}

/** Everything in an ID token must have been proved by this user in this browser. */
function examineTokens(
  state: State,
  browser: Index,
  answer: Answer,
  before: AccountStates,
  epochs: ReadonlyMap<string, number>,
  isRefreshed = false,
): void {
  state.examined += 1;
  const tokens = answer.json();
  const claims = JSON.parse(
    Buffer.from(String(tokens['id_token']).split('.')[1] ?? '', 'base64url').toString(),
  ) as Claims;
  const user = state.users.find(({ id }) => id === claims.sub);
  const account = before.get(claims.sub);
  if (user === undefined || account === undefined)
    throw new Error(`a token for an unknown user: ${claims.sub}`);
  if (account.isDisabled) throw new Error('a token for a disabled user');
  const epoch = epochs.get(user.id) ?? -1;
  if (epoch < account.epoch) throw new Error('tokens for a sign-in from before the account changed');
  if (!isRefreshed) {
    requireProvedToken(user, claims, state.facts.of(browser, user, epoch));
    const isNamed = state.sites.some(
      (named) => named.browser === browser && named.user === user && named.site === claims.site,
    );
    if (!isNamed)
      throw new Error(`a token for ${claims.site}, which this user has not selected in this browser`);
  }
  state.held.push({
    kind: 'tokens',
    browser,
    user,
    epoch,
    accessToken: String(tokens['access_token']),
    refreshToken: typeof tokens['refresh_token'] === 'string' ? tokens['refresh_token'] : undefined,
  });
}

/** After an account change, tokens from before must not work. */
export async function examineHeld(state: State): Promise<void> {
  for (const held of state.held) {
    if (held.kind !== 'tokens' || (held.epoch === held.user.epoch && !held.user.isDisabled)) continue;
    const [node] = state.nodes;
    if (node === undefined) continue;
    const { status } = await askUserInfo(node, held.accessToken);
    if (status === 200) throw new Error('an access token from before the account change works');
    if (held.refreshToken === undefined) continue;
    const answer = await askForTokens(node.app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: held.refreshToken,
    });
    if (answer.status === 200) throw new Error('a refresh token from before the account change works');
  }
}
