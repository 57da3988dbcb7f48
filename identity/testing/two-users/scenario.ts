import type { TestApplication } from '../application.ts';
import { callAccountPage, enrolApp, enrolPasskey } from './account-steps.ts';
import type { AccountCall } from './account-calls.ts';
import { addAccount, sites } from './accounts.ts';
import type { Index, User } from './facts.ts';
import type { HeldHashes } from './held-hashes.ts';
import { requireProvedSession } from './invariants.ts';
import { operate, recover } from './operator-steps.ts';
import {
  authenticate,
  authorize,
  changePassword,
  confirm,
  enter,
  follow,
  select,
  signInAtCompany,
  signOut,
  useAppCode,
  usePasskey,
  verify,
} from './sign-in-steps.ts';
import { State } from './state.ts';
import { readStatedMethods } from './stated-methods.ts';
import type { Act, Step } from './steps.ts';
import { examineHeld, redeem, refresh } from './tokens.ts';

// Two users make any calls with two browsers, in any order and concurrently. One user is an attacker, who has an
// account and knows the victim's password. The scenario records what each user really proved and when, and compares every
// token, session, site and account call with these facts.

export class Scenario {
  readonly #state: State;
  readonly #hashes: HeldHashes;

  static async open(
    { hashes, ...service }: ConstructorParameters<typeof State>[0] & { hashes: HeldHashes },
    { isVictimWithoutFactor }: { isVictimWithoutFactor: boolean },
  ): Promise<Scenario> {
    const [node] = service.nodes;
    if (node === undefined) throw new Error('a scenario needs a node');
    const users: [User, User] = [
      await addUser(node, 'harvest pebble quilt 52', { hasPhone: !isVictimWithoutFactor }),
      await addUser(node, 'meadow copper sail 88', { hasPhone: true }),
    ];
    return new Scenario(new State(service, users), hashes);
  }

  private constructor(state: State, hashes: HeldHashes) {
    this.#state = state;
    this.#hashes = hashes;
  }

  /** The number of verified ID tokens and sessions, and of permitted account calls. */
  get counts(): Pick<State, 'examined' | 'permitted'> {
    return this.#state;
  }

  async play(acts: readonly Act[]): Promise<void> {
    for (const act of acts) {
      const steps = 'atOnce' in act ? act.atOnce : [act];
      if ('atOnce' in act) await this.#playAtOnce(act.atOnce, act.order);
      else await this.#play(act);
      const browsers = steps.some(changesAccount)
        ? ([0, 1] as const)
        : new Set(steps.filter(mayChangeSession).map(({ browser }) => browser));
      // examines the session on the node that did not answer the first step
      for (const browser of browsers) await this.#examineSession(browser, steps[0]?.node === 0 ? 1 : 0);
    }
    for (const browser of [0, 1] as const) await this.#play({ kind: 'redeem', browser, node: 0 });
    await examineHeld(this.#state);
  }

  async #playAtOnce(steps: readonly Step[], order: readonly number[]): Promise<void> {
    this.#state.isAtOnce = true;
    this.#hashes.hold();
    const calls = steps.map((step) => this.#play(step));
    await this.#hashes.untilHeld(calls);
    for (const index of order) {
      if (this.#hashes.count() === 0) break;
      this.#hashes.release(index % this.#hashes.count());
      await this.#hashes.untilHeld(calls);
    }
    this.#hashes.letGo();
    await Promise.all(calls);
    this.#state.isAtOnce = false;
  }

  async #play(step: Step): Promise<void> {
    const state = this.#state;
    switch (step.kind) {
      case 'enter':
        return await enter(state, step);
      case 'authorize':
        return await authorize(state, step);
      case 'authenticate':
        return await authenticate(state, step);
      case 'verify':
        return await verify(state, step);
      case 'app-code':
        return await useAppCode(state, step);
      case 'passkey':
        return await usePasskey(state, step);
      case 'company':
        return await signInAtCompany(state, step);
      case 'confirm':
        return await confirm(state, step);
      case 'select':
        return await select(state, step);
      case 'change-password':
        return await changePassword(state, step);
      case 'follow':
        return await follow(state, step);
      case 'sign-out':
        return await signOut(state, step);
      case 'redeem':
        return await redeem(state, step);
      case 'refresh':
        return await refresh(state, step);
      case 'account':
        return await callAccountPage(state, step);
      case 'enrol-app':
        return await enrolApp(state, step);
      case 'enrol-passkey':
        return await enrolPasskey(state, step);
      case 'recover':
        return await recover(state, state.users[step.user]);
      case 'operator':
        return await operate(state, state.users[step.user], step.change);
      case 'wait':
        return state.advance(step.seconds);
    }
  }

  /** The signed-in user must have proved in this browser what the session states. */
  async #examineSession(browser: Index, node: Index): Promise<void> {
    const state = this.#state;
    const user = await state.findSignedIn({ browser, node });
    if (user === undefined) return;
    state.examined += 1;
    if (user.isDisabled) throw new Error('a disabled user is signed in');
    const { services } = state.node(node);
    const cookie = state.browsers[browser].cookies.get('anteroom_session')?.value;
    const { session } = await services.sessions.find(cookie, { extend: false });
    const stated = await readStatedMethods(services.database, session?.idHash ?? '');
    requireProvedSession(user, stated, state.facts.of(browser, user));
  }
}

async function addUser(
  node: TestApplication,
  password: string,
  { hasPhone }: { hasPhone: boolean },
): Promise<User> {
  return {
    ...(await addAccount(node, { password, hasPhone, memberOf: [...sites, 'corp'] })),
    password,
    epoch: 0,
    changing: 0,
    isDisabled: false,
    passkeys: [],
    app: undefined,
    factorSinceSeconds: hasPhone ? 0 : undefined,
  };
}

/** Whether the step may end sessions in both browsers. */
function changesAccount(step: Step): boolean {
  if (step.kind === 'account') return !harmlessCalls.has(step.call);
  return ['recover', 'operator', 'change-password', 'enrol-app'].includes(step.kind);
}

const harmlessCalls: ReadonlySet<AccountCall> = new Set([
  'read',
  'activity',
  'data',
  'rename-passkey',
  'recovery-codes',
  'forget-computers',
]);

const mayChangeSession = ({ kind }: Step): boolean =>
  !['wait', 'redeem', 'refresh', 'account'].includes(kind);
