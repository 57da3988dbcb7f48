import type { Answer, Browser } from '../browser.ts';
import { createCommandLine } from '../command-line.ts';
import type { TestDatabase } from '../describe-store.ts';
import { portal, publicUrl } from '../application.ts';
import type { TestApplication } from '../application.ts';
import { askUserInfo } from '../journeys.ts';
import { openRecoveryPage } from '../recovery.ts';
import { askForTokens, authorizeAddress } from '../relying-party.ts';
import type { Request } from '../relying-party.ts';
import { createLinks } from '../../src/recovery/links-store.ts';
import { addAccount, latestCodeOf } from './accounts.ts';
import type { Account, SiteName } from './accounts.ts';
import type { HeldHashes } from './held-hashes.ts';

// Two users make any calls with two browsers, in any order and concurrently. One user is an attacker, who has an
// account and knows the victim's password. The scenario records what each user really proved, and compares every token,
// session and site with these facts.

/** The index of one of two users, browsers, tabs or nodes. */
type Index = 0 | 1;

export type Step = { browser: Index; node: Index } & (
  | { kind: 'enter'; person: Index; site: SiteName; tab: Index }
  | { kind: 'authorize'; prompt: string | undefined; tab: Index }
  | { kind: 'authenticate'; person: Index; site: SiteName | undefined; tab: Index }
  | { kind: 'verify'; person: Index; tab: Index }
  | { kind: 'select'; site: SiteName; tab: Index }
  | { kind: 'change-password'; person: Index; tab: Index }
  | { kind: 'follow'; tab: Index }
  | { kind: 'redeem' }
  | { kind: 'refresh' }
  | { kind: 'sign-out' }
  | { kind: 'recover'; person: Index }
  | { kind: 'operator'; person: Index; change: 'disable' | 'phone' | 'end-sessions' }
  | { kind: 'wait'; seconds: number }
);

/** A single step, or concurrent steps, whose password checks are released in the given order after everything else has been answered. */
export type Act = Step | { atOnce: Step[]; order: number[] };

type Person = Account & {
  password: string;
  /** The number of account changes. */
  epoch: number;
  /** The number of concurrent changes by an operator, which other calls may see or not see. */
  changing: number;
  isDisabled: boolean;
};

type AccountStates = ReadonlyMap<string, Pick<Person, 'epoch' | 'isDisabled'>>;

/** What a user proved in a browser, when, and in which state of the account. */
type Fact = { browser: Index; person: Person; method: 'pwd' | 'sms'; epoch: number; atSeconds: number };

/** A code or tokens of a user, and the state of the account that they were issued for. */
type Held = { person: Person; epoch: number; browser: Index } & (
  | { kind: 'code'; request: Request; code: string }
  | { kind: 'tokens'; accessToken: string; refreshToken: string | undefined }
);

type Tab = { request: Request; returnUrl: string | undefined; location: string | undefined };

export class Scenario {
  readonly #nodes: readonly TestApplication[];
  readonly #store: TestDatabase;
  readonly #hashes: HeldHashes;
  readonly #browsers: [Browser, Browser];
  readonly #people: [Person, Person];
  readonly #tabs: [[Tab?, Tab?], [Tab?, Tab?]] = [[], []];
  #facts: Fact[] = [];
  #sites: { browser: Index; person: Person; site: string }[] = [];
  #held: Held[] = [];
  /** During concurrent steps, the order of calls is unknown. */
  #isAtOnce = false;
  /** The number of verified ID tokens and sessions. */
  examined = 0;

  static async open(
    nodes: readonly TestApplication[],
    store: TestDatabase,
    hashes: HeldHashes,
  ): Promise<Scenario> {
    const [node] = nodes;
    if (node === undefined) throw new Error('a scenario needs a node');
    const people: Person[] = [];
    for (const password of passwords)
      people.push({
        ...(await addAccount(node, { password })),
        password,
        epoch: 0,
        changing: 0,
        isDisabled: false,
      });
    return new Scenario(nodes, store, hashes, people as [Person, Person]);
  }

  private constructor(
    nodes: readonly TestApplication[],
    store: TestDatabase,
    hashes: HeldHashes,
    people: [Person, Person],
  ) {
    this.#nodes = nodes;
    this.#store = store;
    this.#hashes = hashes;
    this.#people = people;
    this.#browsers = [this.#node(0).openBrowser(), this.#node(0).openBrowser()];
  }

  #node(index: Index): TestApplication {
    const node = this.#nodes[index % this.#nodes.length];
    if (node === undefined) throw new Error('no such node');
    return node;
  }

  #at({ browser, node }: { browser: Index; node: Index }): Browser {
    return this.#browsers[browser].at(this.#node(node).app);
  }

  get #nowSeconds(): number {
    return Math.floor(this.#node(0).clock.now().getTime() / 1000);
  }

  async play(acts: readonly Act[]): Promise<void> {
    for (const act of acts) {
      const steps = 'atOnce' in act ? act.atOnce : [act];
      if ('atOnce' in act) await this.#playAtOnce(act.atOnce, act.order);
      else await this.#play(act);
      const browsers = steps.some(({ kind }) => changesAccounts.has(kind))
        ? ([0, 1] as const)
        : new Set(steps.map(({ browser }) => browser));
      // examines the session on the node that did not answer the first step
      for (const browser of browsers) await this.#examineSession(browser, steps[0]?.node === 0 ? 1 : 0);
    }
    for (const browser of [0, 1] as const) await this.#play({ kind: 'redeem', browser, node: 0 });
    await this.#examineHeld();
  }

  async #playAtOnce(steps: readonly Step[], order: readonly number[]): Promise<void> {
    this.#isAtOnce = true;
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
    this.#isAtOnce = false;
  }

  async #play(step: Step): Promise<void> {
    switch (step.kind) {
      case 'enter':
        return await this.#enter(step);
      case 'authorize':
        return await this.#authorize(step);
      case 'authenticate':
        return await this.#authenticate(step);
      case 'verify':
        return await this.#verify(step);
      case 'select':
        return await this.#select(step);
      case 'change-password':
        return await this.#changePassword(step);
      case 'follow':
        return await this.#follow(step);
      case 'redeem':
        return await this.#redeem(step);
      case 'refresh':
        return await this.#refresh(step);
      case 'sign-out':
        return await this.#signOut(step);
      case 'recover':
        return await this.#recover(this.#people[step.person]);
      case 'operator':
        return await this.#operate(this.#people[step.person], step.change);
      case 'wait':
        for (const { clock } of new Set(this.#nodes)) clock.advanceSeconds(step.seconds);
    }
  }

  /** A complete sign-in of an honest user. */
  async #enter({ person, site, ...step }: Extract<Step, { kind: 'enter' }>): Promise<void> {
    await this.#authorize({ ...step, kind: 'authorize', prompt: undefined });
    await this.#authenticate({ ...step, kind: 'authenticate', person, site });
    await this.#verify({ ...step, kind: 'verify', person });
    await this.#follow({ ...step, kind: 'follow' });
  }

  async #authorize(step: Extract<Step, { kind: 'authorize' }>): Promise<void> {
    const scope = 'openid offline_access';
    const request = authorizeAddress(portal, {
      scope,
      prompt: ['consent', step.prompt].filter(Boolean).join(' '),
    });
    const browser = this.#at(step);
    const { address } = await browser.follow(request.address);
    const returnUrl = address.searchParams.get('ReturnUrl') ?? undefined;
    this.#tabs[step.browser][step.tab] = { request, returnUrl, location: undefined };
    this.#arrive(step.browser, request, address);
    if (returnUrl !== undefined) await browser.call('/api/ui/auth-context', { returnUrl });
  }

  #tab(step: { browser: Index; tab: Index }): Tab | undefined {
    return this.#tabs[step.browser][step.tab];
  }

  async #authenticate(step: Extract<Step, { kind: 'authenticate' }>): Promise<void> {
    const tab = this.#tab(step);
    const person = this.#people[step.person];
    const { userName, password, epoch, changing } = person;
    const answer = await this.#at(step).post('/api/ui/authenticate', {
      returnUrl: tab?.returnUrl ?? 'nowhere',
      userName,
      password,
      ...(step.site !== undefined && { site: step.site }),
    });
    // With any other status the password was wrong, because the page asked for the password of another, signed-in user.
    if (answer.status !== 200 && answer.json()['code'] !== 'site_requires_mfa') return;
    for (let each = epoch; each <= epoch + changing; each += 1) this.#note(step, person, 'pwd', each);
    if (step.site !== undefined) this.#sites.push({ browser: step.browser, person, site: step.site });
    this.#noteLocation(tab, answer);
  }

  async #verify(step: Extract<Step, { kind: 'verify' }>): Promise<void> {
    const tab = this.#tab(step);
    const person = this.#people[step.person];
    const { epoch } = person;
    const code = (await latestCodeOf(this.#node(step.node), person)) ?? '000000';
    const answer = await this.#at(step).post('/api/ui/verify-mfa-code', {
      returnUrl: tab?.returnUrl ?? 'nowhere',
      code,
      publicComputerSignIn: true,
    });
    if (answer.status !== 200) return;
    // an operator may have changed the account during the call; a code alone gives no access
    for (let each = epoch; each <= person.epoch; each += 1) this.#note(step, person, 'sms', each);
    this.#noteLocation(tab, answer);
  }

  async #select(step: Extract<Step, { kind: 'select' }>): Promise<void> {
    const tab = this.#tab(step);
    for (const person of this.#people) this.#sites.push({ browser: step.browser, person, site: step.site });
    const answer = await this.#at(step).post('/api/ui/auth/select-site', {
      returnUrl: tab?.returnUrl ?? 'nowhere',
      site: step.site,
    });
    if (answer.status === 200) this.#noteLocation(tab, answer);
  }

  async #changePassword(step: Extract<Step, { kind: 'change-password' }>): Promise<void> {
    const tab = this.#tab(step);
    const person = this.#people[step.person];
    const { epoch } = person;
    const newPassword = freshPassword();
    const answer = await this.#at(step).post('/api/ui/password-reset', {
      returnUrl: tab?.returnUrl ?? 'nowhere',
      currentPassword: person.password,
      newPassword,
      newPasswordConfirmation: newPassword,
    });
    if (answer.status !== 200) return;
    // the new password replaces the proof of the old one
    this.#carryOver(step, person, epoch);
    person.password = newPassword;
    this.#note(step, person, 'pwd', person.epoch);
    this.#noteLocation(tab, answer);
  }

  /** A user's own password change keeps what the same browser has proved, and invalidates everything else. */
  #carryOver({ browser }: Step, person: Person, epoch: number): void {
    const own = this.#facts.filter(
      (fact) => fact.browser === browser && fact.person === person && fact.epoch === epoch,
    );
    person.epoch += 1;
    this.#facts.push(...own.map((fact) => ({ ...fact, epoch: person.epoch })));
  }

  async #follow(step: Extract<Step, { kind: 'follow' }>): Promise<void> {
    const tab = this.#tab(step);
    if (tab?.location === undefined) return;
    const { location, request } = tab;
    tab.location = undefined;
    const { address } = await this.#at(step).follow(location);
    this.#arrive(step.browser, request, address);
  }

  /** Stores the authorization code that the application received, to be redeemed later. */
  #arrive(browser: Index, request: Request, address: URL): void {
    const code = address.href.startsWith(portal.redirectUri) ? address.searchParams.get('code') : null;
    if (code === null) return;
    for (const person of this.#people)
      this.#held.push({
        kind: 'code',
        browser,
        request,
        code,
        person,
        epoch: person.epoch + person.changing,
      });
  }

  async #redeem(step: { browser: Index; node: Index }): Promise<void> {
    const codes = this.#held.filter((held) => held.kind === 'code' && held.browser === step.browser);
    this.#held = this.#held.filter((held) => !codes.includes(held));
    const byCode = Map.groupBy(codes, (held) => (held.kind === 'code' ? held.code : ''));
    for (const [code, owners] of byCode) {
      const [first] = owners;
      if (first?.kind !== 'code') continue;
      const epochs = new Map(owners.map(({ person, epoch }) => [person.id, epoch]));
      const before = this.#states();
      const answer = await askForTokens(this.#node(step.node).app, publicUrl, portal, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: portal.redirectUri,
        code_verifier: first.request.codeVerifier,
      });
      if (answer.status === 200) this.#examineTokens(step.browser, answer, before, epochs);
    }
  }

  async #refresh(step: { browser: Index; node: Index }): Promise<void> {
    const held = this.#held.find((one) => one.kind === 'tokens' && one.browser === step.browser);
    if (held?.kind !== 'tokens' || held.refreshToken === undefined) return;
    const before = this.#states();
    const answer = await askForTokens(this.#node(step.node).app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: held.refreshToken,
    });
    if (answer.status !== 200) return;
    this.#held = this.#held.filter((one) => one !== held);
    this.#examineTokens(step.browser, answer, before, new Map([[held.person.id, held.epoch]]), true);
  }

  async #signOut(step: { browser: Index; node: Index }): Promise<void> {
    const person = await this.#findSignedIn(step);
    const answer = await this.#at(step).post('/api/ui/auth/sign-out', {});
    if (answer.status !== 204 || this.#isAtOnce) return;
    this.#facts = this.#facts.filter((fact) => fact.browser !== step.browser || fact.person !== person);
  }

  async #recover(person: Person): Promise<void> {
    const { services } = this.#node(0);
    const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
    const token = await services.database
      .transaction()
      .execute((transaction) => links.issue(person.id, transaction));
    const newPassword = freshPassword();
    const page = await openRecoveryPage(this.#node(0));
    const answer = await page.post('/api/ui/recovery/new-password', {
      token,
      newPassword,
      newPasswordConfirmation: newPassword,
    });
    if (answer.status !== 204) return;
    person.password = newPassword;
    person.epoch += 1;
  }

  async #operate(person: Person, change: 'disable' | 'phone' | 'end-sessions'): Promise<void> {
    const { run } = createCommandLine(this.#store, this.#node(0).clock);
    const words = {
      disable: `people disable ${person.userName}`,
      phone: `people add ${person.userName} --phone-number ${freshPhoneNumber()} --update`,
      'end-sessions': `sessions end --person ${person.userName}`,
    };
    const isChange = change !== 'end-sessions';
    if (isChange) person.changing += 1;
    const { code, errors } = await run(words[change]);
    if (code !== 0) throw new Error(`${words[change]}: ${errors}`);
    if (change === 'disable') person.isDisabled = true;
    if (!isChange) return;
    person.epoch += 1;
    person.changing -= 1;
    const row = await this.#node(0)
      .services.database.selectFrom('people')
      .select('phone_number')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    person.phoneNumber = row.phone_number ?? undefined;
  }

  #note({ browser }: Step, person: Person, method: 'pwd' | 'sms', epoch: number): void {
    this.#facts.push({ browser, person, method, epoch, atSeconds: this.#nowSeconds });
  }

  #noteLocation(tab: Tab | undefined, answer: Answer): void {
    const { status, location } = answer.json();
    if (tab !== undefined && status === 'redirect') tab.location = String(location);
  }

  /** What the user proved in this browser and state of the account. */
  #proofsOf(browser: Index, person: Person, epoch = person.epoch): Fact[] {
    return this.#facts.filter(
      (fact) => fact.browser === browser && fact.person === person && fact.epoch === epoch,
    );
  }

  /** The present states of the accounts. A call is compared with the state before it, because a concurrent change may come later. */
  #states(): AccountStates {
    return new Map(this.#people.map(({ id, epoch, isDisabled }) => [id, { epoch, isDisabled }]));
  }

  /** Everything in an ID token must have been proved by this user in this browser. */
  #examineTokens(
    browser: Index,
    answer: Answer,
    before: AccountStates,
    epochs: ReadonlyMap<string, number>,
    isRefreshed = false,
  ): void {
    this.examined += 1;
    const tokens = answer.json();
    const claims = JSON.parse(
      Buffer.from(String(tokens['id_token']).split('.')[1] ?? '', 'base64url').toString(),
    ) as { sub: string; amr?: string[]; auth_time?: number; site?: string };
    const person = this.#people.find(({ id }) => id === claims.sub);
    const state = before.get(claims.sub);
    if (person === undefined || state === undefined)
      throw new Error(`a token for an unknown user: ${claims.sub}`);
    if (state.isDisabled) throw new Error('a token for a disabled user');
    const epoch = epochs.get(person.id) ?? -1;
    if (epoch < state.epoch) throw new Error('tokens for a sign-in from before the account changed');
    if (!isRefreshed) {
      const proofs = this.#proofsOf(browser, person, epoch);
      for (const method of claims.amr ?? [])
        if (!proofs.some((fact) => fact.method === method))
          throw new Error(`a token contains ${method}, which ${person.id} has not proved in this browser`);
      if (!(claims.amr ?? []).includes('pwd')) throw new Error('a token without a password');
      if (!proofs.some((fact) => fact.atSeconds === claims.auth_time))
        throw new Error('auth_time is not a time at which this user proved something in this browser');
      const isNamed = this.#sites.some(
        (named) => named.browser === browser && named.person === person && named.site === claims.site,
      );
      if (!isNamed)
        throw new Error(`a token for ${claims.site}, which this user has not selected in this browser`);
      if (claims.site === 'summit' && !(claims.amr ?? []).includes('sms'))
        throw new Error('summit was entered without a second factor');
    }
    this.#held.push({
      kind: 'tokens',
      browser,
      person,
      epoch,
      accessToken: String(tokens['access_token']),
      refreshToken: typeof tokens['refresh_token'] === 'string' ? tokens['refresh_token'] : undefined,
    });
  }

  async #findSignedIn(at: { browser: Index; node: Index }): Promise<Person | undefined> {
    const answer = await this.#at(at).call('/api/ui/sites');
    if (answer.status !== 200) return undefined;
    const person = this.#people.find(({ id }) => id === answer.json()['userFirstName']);
    if (person === undefined) throw new Error('an unknown user is signed in');
    return person;
  }

  /** The signed-in user must have proved password and second factor in this browser. */
  async #examineSession(browser: Index, node: Index): Promise<void> {
    const person = await this.#findSignedIn({ browser, node });
    if (person === undefined) return;
    this.examined += 1;
    if (person.isDisabled) throw new Error('a disabled user is signed in');
    const proofs = this.#proofsOf(browser, person);
    for (const method of ['pwd', 'sms'] as const)
      if (!proofs.some((fact) => fact.method === method))
        throw new Error(`${person.id} is signed in without having proved ${method} in this browser`);
  }

  /** After an account change, tokens from before must not work. */
  async #examineHeld(): Promise<void> {
    for (const held of this.#held) {
      if (held.kind !== 'tokens' || (held.epoch === held.person.epoch && !held.person.isDisabled)) continue;
      const [node] = this.#nodes;
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
}

/** Steps that may end sessions in both browsers. */
const changesAccounts: ReadonlySet<Step['kind']> = new Set(['recover', 'operator', 'change-password']);

/** The attacker knows both passwords. */
const passwords = ['harvest pebble quilt 52', 'meadow copper sail 88'];

let created = 0;

function freshPassword(): string {
  created += 1;
  return `lantern velvet oxbow ${String(created).padStart(6, '0')}`;
}

function freshPhoneNumber(): string {
  created += 1;
  return `+4420795${String(created).padStart(5, '0')}`;
}
