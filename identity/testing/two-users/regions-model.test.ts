import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { portal } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';
import { beginSignIn } from '../relying-party.ts';
import { openVisitor, postToken } from '../regions/visitor.ts';
import type { Visitor } from '../regions/visitor.ts';
import { lakeside } from '../regions/two-regions.ts';
import type { TwoRegions } from '../regions/two-regions.ts';
import { databaseKinds } from '../describe-store.ts';
import { useRegions } from '../regions/use-regions.ts';
import { replacePassword } from '../../src/sign-in/replace-password.ts';
import { addAccount, latestCodeOf, withoutLimits } from './accounts.ts';
import type { Account } from './accounts.ts';

// Attacks and faults, S25 and S56: two users and two browsers sign in to two regions, to us also through the page of
// eu, and make hand-overs, of which single parts may happen in the other browser.

const isBench = process.env['MODEL_SEQUENCES'] !== undefined;
const sequences = Math.ceil(Number(process.env['MODEL_SEQUENCES'] ?? 2000) / 40);
const passwords = ['harvest pebble quilt 52', 'meadow copper sail 88'];

type Index = 0 | 1;
type Step =
  | { kind: 'authorize'; browser: Index; prompt: string | undefined }
  | { kind: 'password' | 'code'; at: 'eu' | 'us'; browser: Index; user: Index }
  | { kind: 'choose'; browser: Index }
  | { kind: 'arrive' | 'hand-over' | 'post'; browser: Index; from: Index }
  | { kind: 'sign-out'; at: 'eu' | 'us'; browser: Index }
  | { kind: 'new-password'; user: Index };

const index = fc.constantFrom(0 as const, 1 as const);
const at = fc.constantFrom('eu' as const, 'us' as const);
const prompt = fc.constantFrom(undefined, 'switch_tenant', 'switch_site', 'login');
const drawn: readonly [number, Step['kind'], Record<string, fc.Arbitrary<unknown>>][] = [
  [3, 'authorize', { browser: index, prompt }],
  [8, 'password', { at, browser: index, user: index }],
  [8, 'code', { at, browser: index, user: index }],
  [4, 'choose', { browser: index }],
  [4, 'arrive', { browser: index, from: index }],
  [4, 'hand-over', { browser: index, from: index }],
  [4, 'post', { browser: index, from: index }],
  [1, 'sign-out', { at, browser: index }],
  [1, 'new-password', { user: index }],
];
const step = fc.oneof(
  ...drawn.map(([weight, kind, more]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...more }) as fc.Arbitrary<Step>,
  })),
);
/** Starts with a user signed in to us, or to eu during a hand-over to us, so that the steps interact more often. */
const beginning = fc
  .tuple(at, index, index)
  .map(([where, browser, user]): Step[] => [
    { kind: 'authorize', browser, prompt: where === 'eu' ? 'switch_site' : undefined },
    { kind: 'password', at: where, browser, user },
    { kind: 'code', at: where, browser, user },
    ...(where === 'eu' ? [{ kind: 'choose' as const, browser }] : []),
  ]);
const steps = fc
  .tuple(
    fc.oneof(beginning, fc.constant<Step[]>([])),
    fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }),
  )
  .map(([first, more]) => [...first, ...more]);

/** The state between two parts of a hand-over, by the browser that started it. */
type Carried = { address?: string | undefined; token?: string | undefined };

class Scenario {
  readonly #regions: TwoRegions;
  readonly #users: (Account & { password: string; epoch: number })[];
  readonly #visitors: [Visitor, Visitor];
  readonly #returnUrls: (string | undefined)[] = [];
  readonly #carried: [Carried, Carried] = [{}, {}];
  readonly #facts: { browser: Index; user: string; method: 'pwd' | 'sms'; epoch: number }[] = [];
  examined = 0;

  static async open(regions: TwoRegions): Promise<Scenario> {
    const users = [];
    for (const password of passwords) {
      const account = await addAccount(regions.eu, { password, memberOf: ['harbor', lakeside] });
      await addAccount(regions.us, { password, memberOf: [lakeside], as: account });
      users.push({ ...account, password, epoch: 0 });
    }
    return new Scenario(regions, users);
  }

  private constructor(regions: TwoRegions, users: (Account & { password: string; epoch: number })[]) {
    this.#regions = regions;
    this.#users = users;
    this.#visitors = [openVisitor(regions), openVisitor(regions)];
  }

  async play(given: readonly Step[]): Promise<void> {
    for (const one of given) {
      await this.#play(one);
      await this.#examine();
    }
  }

  async #play(one: Step): Promise<void> {
    switch (one.kind) {
      case 'authorize': {
        const started = await beginSignIn(this.#visitors[one.browser].eu, portal, {
          prompt: one.prompt,
        }).catch(() => undefined);
        this.#returnUrls[one.browser] = started?.returnUrl;
        return;
      }
      case 'password': {
        const { userName, password } = this.#user(one.user);
        const site = one.at === 'eu' ? 'harbor' : lakeside;
        const answer = await this.#post(one, '/api/ui/authenticate', { userName, password, site });
        if (answer.status === 200) this.#note(one, 'pwd');
        return;
      }
      case 'code': {
        const code = (await latestCodeOf(this.#regions[one.at], this.#user(one.user))) ?? '000000';
        const answer = await this.#post(one, '/api/ui/verify-mfa-code', { code, publicComputerSignIn: true });
        if (answer.status === 200) this.#note(one, 'sms');
        return;
      }
      case 'choose': {
        const chosen = await this.#post({ ...one, at: 'eu' }, '/api/ui/auth/select-site', { site: lakeside });
        const { location } = chosen.status === 200 ? chosen.json() : {};
        this.#carried[one.browser] = { address: typeof location === 'string' ? location : undefined };
        return;
      }
      case 'arrive':
      case 'hand-over': {
        const carried = this.#carried[one.from];
        if (carried.address === undefined) return;
        const region = one.kind === 'arrive' ? 'us' : 'eu';
        const page = await this.#visitors[one.browser][region].visit(carried.address);
        if (one.kind === 'arrive') carried.address = page.headers['location'];
        else carried.token = /name="word" value="([^"]+)"/.exec(page.text)?.[1];
        return;
      }
      case 'post': {
        const { token } = this.#carried[one.from];
        if (token !== undefined) await postToken(this.#visitors[one.browser].us, this.#regions.eu.url, token);
        return;
      }
      case 'sign-out':
        await this.#visitors[one.browser][one.at].post('/api/ui/auth/sign-out', {});
        return;
      case 'new-password':
        await this.#setPassword(one.user);
    }
  }

  /** Changes the password in eu, which also ends the sessions that were handed over to us. */
  async #setPassword(user: Index): Promise<void> {
    const { services } = this.#regions.eu;
    const { id } = this.#user(user);
    const row = await services.database
      .selectFrom('credentials')
      .innerJoin('users', 'users.id', 'credentials.user_id')
      .select(['password_hash', 'security_version'])
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    const newHash = `${row.password_hash}x`;
    await services.database.transaction().execute((transaction) =>
      replacePassword(services, transaction, {
        user: {
          id,
          userName: id,
          email: undefined,
          passwordHash: row.password_hash,
          securityVersion: row.security_version,
        },
        newHash,
        language: 'en',
      }),
    );
    services.regions?.linkNotices.sendDue();
    await services.regions?.linkNotices.settle();
    this.#user(user).epoch += 1;
  }

  #user(user: Index) {
    const found = this.#users[user];
    if (found === undefined) throw new Error('no such user');
    return found;
  }

  /** Calls eu from its own page, or us from the page of eu. */
  #post(where: { at: 'eu' | 'us'; browser: Index }, path: string, body: object): Promise<Answer> {
    const browser: Browser = this.#visitors[where.browser][where.at];
    const headers: Record<string, string> =
      where.at === 'eu'
        ? {}
        : {
            origin: this.#regions.eu.url,
            'sec-fetch-site': 'same-site',
            'x-xsrf-token': '',
            'x-correlation-id': 'page.1',
            'conforming-errors': 'true',
          };
    const returnUrl = this.#returnUrls[where.browser] ?? 'nowhere';
    return browser.post(path, { returnUrl, ...body }, headers);
  }

  #note({ browser, user, at: region }: Extract<Step, { kind: 'password' | 'code' }>, method: 'pwd' | 'sms') {
    const { id, epoch } = this.#user(user);
    // the account in region us has not changed
    this.#facts.push({ browser, user: `${region} ${id}`, method, epoch: region === 'eu' ? epoch : 0 });
  }

  /** A signed-in user must have proved password and code in this browser: in region eu, or in region us itself. */
  async #examine(): Promise<void> {
    for (const browser of [0, 1] as const)
      for (const region of ['eu', 'us'] as const) {
        const answer = await this.#visitors[browser][region].call('/api/ui/sites');
        if (answer.status !== 200) continue;
        this.examined += 1;
        const id = String(answer.json()['userFirstName']);
        const user = this.#users.find((one) => one.id === id);
        const isProvedAt = (where: string, epoch: number | undefined) =>
          (['pwd', 'sms'] as const).every((method) =>
            this.#facts.some(
              (fact) =>
                fact.browser === browser &&
                fact.user === `${where} ${id}` &&
                fact.method === method &&
                fact.epoch === epoch,
            ),
          );
        if (!isProvedAt('eu', user?.epoch) && !(region === 'us' && isProvedAt('us', 0)))
          throw new Error(`${id} is signed in to ${region} without having authenticated in this browser`);
      }
  }
}

describe.each(databaseKinds)('two users, two browsers, two regions on $kind', ({ open }) => {
  const regions = useRegions(open, withoutLimits);

  test(
    'in any sequence, a user signed in to a region has authenticated in that browser, there or in the region of origin [S25, S56]',
    { timeout: 24 * 60 * 60_000 },
    async () => {
      let examined = 0;
      const property = fc.asyncProperty(steps, async (given) => {
        const scenario = await Scenario.open(regions());
        await scenario.play(given);
        examined += scenario.examined;
      });
      await fc.assert(property, {
        numRuns: sequences,
        endOnFailure: false,
        ...(!isBench && { seed: 20261122 }),
      });
      expect(examined).toBeGreaterThan(sequences);
    },
  );
});
