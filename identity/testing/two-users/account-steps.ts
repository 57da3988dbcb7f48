import type { AccountCall } from './account-calls.ts';
import { appCodeOf, callAccount, createPasskey, hasRenewedSession } from './account-calls.ts';
import type { Method } from './facts.ts';
import { requireFreshProof, requireLimitedAnswer, revealsFactors } from './invariants.ts';
import { authenticate } from './sign-in-steps.ts';
import type { State } from './state.ts';
import type { StepOf } from './steps.ts';

/** Sets up an app during a sign-in with the password, which only a user without a second factor may do. */
export async function enrolApp(state: State, step: StepOf<'enrol-app'>): Promise<void> {
  await authenticate(state, { ...step, kind: 'authenticate', site: 'summit' });
  const tab = state.tab(step);
  const beganAtSeconds = state.nowSeconds;
  const before = state.users.map(({ epoch, factorSinceSeconds }) => ({ epoch, factorSinceSeconds }));
  const { enrolment } = (await state.post(step, 'authenticator-app', {})).json() as {
    enrolment?: { secret: string; uri: string; recoveryCodes: string[] };
  };
  if (enrolment === undefined) return;
  const index = state.users.findIndex(({ userName }) => enrolment.uri.includes(encodeURIComponent(userName)));
  const [user, account] = [state.users[index], before[index]];
  if (user === undefined || account === undefined) throw new Error('an app for an unknown user');
  if (account.factorSinceSeconds !== undefined)
    throw new Error(`enrol-app was permitted to ${user.id}, who has another second factor`);
  const facts = state.facts.of(step.browser, user, account.epoch);
  requireFreshProof(step.kind, { hadFactor: false, beganAtSeconds, facts });
  const code = appCodeOf(state.node(step.node), enrolment.secret);
  const answer = await state.post(step, 'verify-mfa-code', { code, publicComputerSignIn: true });
  if (answer.status !== 200) return;
  state.facts.carryOver(step.browser, user, account.epoch);
  state.note(step, user, 'otp', user.epoch, beganAtSeconds);
  user.app = enrolment;
  user.factorSinceSeconds ??= state.nowSeconds;
  state.noteLocation(tab, answer);
}

/** Adds a passkey during a sign-in. */
export async function enrolPasskey(state: State, step: StepOf<'enrol-passkey'>): Promise<void> {
  const beganAtSeconds = state.nowSeconds;
  const hadFactor = state.users.map(({ factorSinceSeconds }) => factorSinceSeconds !== undefined);
  const epochs = state.users.map(({ epoch }) => epoch);
  const begun = await state.post(step, 'passkey/enrolment-options', {});
  if (begun.status !== 200) return;
  const options = begun.json()['options'] as { challenge: string; user: { name: string } };
  const index = state.users.findIndex(({ userName }) => userName === options.user.name);
  const user = state.users[index];
  if (user === undefined) throw new Error('a passkey for an unknown user');
  const facts = state.facts.of(step.browser, user, epochs[index]);
  requireFreshProof(step.kind, { hadFactor: hadFactor[index] ?? false, beganAtSeconds, facts });
  const passkey = createPasskey();
  const added = await state.post(step, 'passkey/enrolment', { credential: passkey.create(options) });
  if (added.status !== 200) return;
  user.passkeys.push(passkey);
  user.factorSinceSeconds ??= state.nowSeconds;
}

/** The method that each call which adds a factor proves. */
const addedMethods: Partial<Record<AccountCall, Method>> = {
  'set-phone': 'sms',
  'set-up-app': 'otp',
  'add-passkey': 'passkey',
};

/** A call of the account page. */
export async function callAccountPage(state: State, step: StepOf<'account'>): Promise<void> {
  const user = await state.findSignedIn(step);
  if (user === undefined) return;
  const beganAtSeconds = state.nowSeconds;
  const { epoch } = user;
  const hadFactor = user.factorSinceSeconds !== undefined;
  const facts = state.facts.of(step.browser, user);
  const browser = state.at(step);
  const { answers, change } = await callAccount(state.node(step.node), browser, step.call, user);
  const permitted = answers.filter(({ status }) => status < 300);
  if (permitted.length === 0) return;
  state.permitted += 1;
  const account = step.call === 'read' ? answers[0]?.json() : undefined;
  const isOnlyFederated = facts.every(({ method }) => method === 'fed');
  if (account !== undefined && isOnlyFederated) requireLimitedAnswer(account);
  // A company's session ends other sessions of the company (`proof-ages.test.ts`).
  const isOfCompany = step.call === 'end-other-sessions' && facts.some(({ method }) => method === 'fed');
  if (!isOfCompany && (account === undefined || revealsFactors(account)))
    requireFreshProof(step.call, { hadFactor, beganAtSeconds, facts });
  if (permitted.length < answers.length || change === undefined) return;
  // A new passkey renews this session and ends no other.
  if (step.call !== 'add-passkey' && answers.some(hasRenewedSession))
    state.facts.carryOver(step.browser, user, epoch);
  change(user);
  const added = addedMethods[step.call];
  if (added !== undefined) state.note(step, user, added, user.epoch, beganAtSeconds);
  const { phoneNumber, app, passkeys } = user;
  if (added !== undefined) user.factorSinceSeconds ??= state.nowSeconds;
  else if (hadFactor && phoneNumber === undefined && app === undefined && passkeys.length === 0)
    throw new Error(`${step.call} removed the last second factor, which a site requires`);
}
