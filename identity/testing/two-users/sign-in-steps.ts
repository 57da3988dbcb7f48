import { portal } from '../application.ts';
import { redirectPath } from '../company/set-up-company.ts';
import { elias } from '../company/openid-company.ts';
import { authorizeAddress } from '../relying-party.ts';
import { appCodeOf } from './account-calls.ts';
import { freshPassword, latestCodeOf } from './accounts.ts';
import type { SiteName } from './accounts.ts';
import type { Index } from './facts.ts';
import type { State } from './state.ts';
import type { Place, StepOf } from './steps.ts';
import { arrive } from './tokens.ts';

export async function authorize(state: State, step: StepOf<'authorize'>): Promise<void> {
  const scope = 'openid offline_access';
  const request = authorizeAddress(portal, {
    scope,
    prompt: ['consent', step.prompt].filter(Boolean).join(' '),
    acr_values: step.acr,
  });
  const browser = state.at(step);
  const { address } = await browser.follow(request.address);
  const returnUrl = address.searchParams.get('ReturnUrl') ?? undefined;
  state.tabs[step.browser][step.tab] = { request, returnUrl, location: undefined };
  arrive(state, step.browser, request, address);
  if (returnUrl !== undefined) await browser.call('/api/ui/auth-context', { returnUrl });
}

/** A complete sign-in of an honest user. */
export async function enter(state: State, { user, site, ...step }: StepOf<'enter'>): Promise<void> {
  await authorize(state, { ...step, kind: 'authorize', prompt: undefined, acr: undefined });
  await authenticate(state, { ...step, kind: 'authenticate', user, site });
  await showFactor(state, { ...step, user }, site);
  await follow(state, { ...step, kind: 'follow' });
}

/** Shows a second factor that the user has. */
async function showFactor(
  state: State,
  { user, ...step }: Place & { tab: Index; user: Index },
  site: SiteName | undefined,
): Promise<void> {
  const { phoneNumber, app, passkeys } = state.users[user];
  if (phoneNumber !== undefined) await verify(state, { ...step, kind: 'verify', user });
  else if (app !== undefined)
    await useAppCode(state, { ...step, kind: 'app-code', user, isRecoveryCode: false });
  else if (passkeys.length > 0) await usePasskey(state, { ...step, kind: 'passkey', user, site });
}

/** Proves the user again for the account page, with the password alone or with everything. */
export async function confirm(state: State, { user, isWhole, ...step }: StepOf<'confirm'>): Promise<void> {
  const browser = state.at(step);
  const proof = await browser.call('/api/ui/account/proof', { purpose: 'confirm' });
  const { address } = await browser.follow(proof.headers['location'] ?? '');
  const returnUrl = address.searchParams.get('ReturnUrl') ?? undefined;
  state.tabs[step.browser][step.tab] = { request: undefined, returnUrl, location: undefined };
  if (returnUrl === undefined) return;
  await browser.call('/api/ui/auth-context', { returnUrl });
  await authenticate(state, { ...step, kind: 'authenticate', user, site: undefined });
  if (isWhole) await showFactor(state, { ...step, user }, undefined);
  await follow(state, { ...step, kind: 'follow' });
}

export async function authenticate(state: State, step: StepOf<'authenticate'>): Promise<void> {
  const tab = state.tab(step);
  const user = state.users[step.user];
  const { userName, password, epoch, changing } = user;
  const fromSeconds = state.nowSeconds;
  const site = step.site !== undefined && { site: step.site };
  const answer = await state.post(step, 'authenticate', { userName, password, ...site });
  // With any other status the password was wrong, because the page asked for the password of another, signed-in user.
  if (answer.status !== 200 && answer.json()['code'] !== 'site_requires_mfa') return;
  for (let each = epoch; each <= epoch + changing; each += 1)
    state.note(step, user, 'pwd', each, fromSeconds);
  if (step.site !== undefined) state.sites.push({ browser: step.browser, user, site: step.site });
  state.noteLocation(tab, answer);
}

export async function verify(state: State, step: StepOf<'verify'>): Promise<void> {
  const user = state.users[step.user];
  // the page of a user with an app asks for a message only upon request
  if (user.app !== undefined) await state.post(step, 'resend-mfa-code', {});
  const code = (await latestCodeOf(state.node(step.node), user)) ?? '000000';
  await sendCode(state, step, 'sms', code);
}

export async function useAppCode(state: State, step: StepOf<'app-code'>): Promise<void> {
  const { app } = state.users[step.user];
  if (app === undefined) return;
  const recoveryCode = step.isRecoveryCode ? app.recoveryCodes.pop() : undefined;
  // the code of the present time step may have been used
  if (recoveryCode === undefined) state.advance(30);
  await sendCode(state, step, 'otp', recoveryCode ?? appCodeOf(state.node(step.node), app.secret));
}

async function sendCode(
  state: State,
  step: Place & { tab: Index; user: Index },
  method: 'sms' | 'otp',
  code: string,
): Promise<void> {
  const tab = state.tab(step);
  const user = state.users[step.user];
  const { epoch } = user;
  const fromSeconds = state.nowSeconds;
  const factor = step.tab === 0 && code.length === 6 && { factor: method === 'sms' ? 'sms' : 'totp' };
  const answer = await state.post(step, 'verify-mfa-code', { code, publicComputerSignIn: true, ...factor });
  if (answer.status !== 200) return;
  // an operator may have changed the account during the call; a code alone gives no access
  for (let each = epoch; each <= user.epoch; each += 1) state.note(step, user, method, each, fromSeconds);
  state.noteLocation(tab, answer);
}

export async function usePasskey(state: State, step: StepOf<'passkey'>): Promise<void> {
  const tab = state.tab(step);
  const user = state.users[step.user];
  const passkey = user.passkeys.at(-1);
  if (passkey === undefined) return;
  const { epoch, changing } = user;
  const fromSeconds = state.nowSeconds;
  const begun = await state.post(step, 'passkey/sign-in-options', {});
  if (begun.status !== 200) return;
  const credential = passkey.get(begun.json()['options'] as { challenge: string });
  const site = step.site !== undefined && { site: step.site };
  const answer = await state.post(step, 'passkey/sign-in', { credential, ...site });
  if (answer.status !== 200) return;
  for (let each = epoch; each <= epoch + changing; each += 1)
    state.note(step, user, 'passkey', each, fromSeconds);
  if (step.site !== undefined) state.sites.push({ browser: step.browser, user, site: step.site });
  state.noteLocation(tab, answer);
}

/** A sign-in through the identity provider of the company, whose site is corp. */
export async function signInAtCompany(state: State, step: StepOf<'company'>): Promise<void> {
  if (state.tab(step)?.returnUrl === undefined)
    await authorize(state, { ...step, kind: 'authorize', prompt: undefined, acr: undefined });
  const tab = state.tab(step);
  const user = state.users[step.user];
  const browser = state.at(step);
  const query = new URLSearchParams({ site: 'corp', returnUrl: tab?.returnUrl ?? 'nowhere' }).toString();
  const { location } = (await browser.visit(`${redirectPath}?${query}`)).headers;
  if (location?.startsWith(state.company.issuer) !== true) return;
  const { epoch } = user;
  const fromSeconds = state.nowSeconds;
  const visit = state.atCompany.then(async () => {
    state.company.employee = { ...elias, sub: user.id, email: user.userName };
    const back = await state.company.visit(location);
    return await browser.visit(back.href);
  });
  state.atCompany = visit;
  const returned = (await visit).headers['location'];
  for (let each = epoch; each <= user.epoch + user.changing; each += 1)
    state.note(step, user, 'fed', each, fromSeconds);
  state.sites.push({ browser: step.browser, user, site: 'corp' });
  if (tab !== undefined) tab.location = returned;
  await follow(state, { ...step, kind: 'follow' });
}

export async function select(state: State, step: StepOf<'select'>): Promise<void> {
  const tab = state.tab(step);
  for (const user of state.users) state.sites.push({ browser: step.browser, user, site: step.site });
  const answer = await state.post(step, 'auth/select-site', { site: step.site });
  if (answer.status === 200) state.noteLocation(tab, answer);
}

export async function changePassword(state: State, step: StepOf<'change-password'>): Promise<void> {
  const tab = state.tab(step);
  const user = state.users[step.user];
  const { epoch } = user;
  const fromSeconds = state.nowSeconds;
  const newPassword = freshPassword();
  const answer = await state.post(step, 'password-reset', {
    currentPassword: user.password,
    newPassword,
    newPasswordConfirmation: newPassword,
  });
  if (answer.status !== 200) return;
  // the new password replaces the proof of the old one
  state.facts.carryOver(step.browser, user, epoch);
  user.password = newPassword;
  state.note(step, user, 'pwd', user.epoch, fromSeconds);
  state.noteLocation(tab, answer);
}

export async function follow(state: State, step: StepOf<'follow'>): Promise<void> {
  const tab = state.tab(step);
  if (tab?.location === undefined) return;
  const { location, request } = tab;
  tab.location = undefined;
  const { address } = await state.at(step).follow(location);
  arrive(state, step.browser, request, address);
}

export async function signOut(state: State, step: Place): Promise<void> {
  const user = await state.findSignedIn(step);
  const answer = await state.at(step).post('/api/ui/auth/sign-out', {});
  if (answer.status !== 204 || state.isAtOnce) return;
  state.facts.forget(step.browser, user);
}
