import type { Answer, Browser } from '../browser.ts';
import type { OpenidCompany } from '../company/openid-company.ts';
import type { TestDatabase } from '../describe-store.ts';
import type { TestApplication } from '../application.ts';
import type { Request } from '../relying-party.ts';
import { knowing } from './account-calls.ts';
import { Facts } from './facts.ts';
import type { Index, Method, User } from './facts.ts';
import type { Place } from './steps.ts';

/** A tab's sign-in; without a request for the account page, whose authorization code cannot be redeemed. */
export type Tab = {
  request: Request | undefined;
  returnUrl: string | undefined;
  location: string | undefined;
};

/** A code or tokens of a user, and the state of the account that they were issued for. */
export type Held = { user: User; epoch: number; browser: Index } & (
  | { kind: 'code'; request: Request; code: string }
  | { kind: 'tokens'; accessToken: string; refreshToken: string | undefined }
);

/** The service, two browsers with two tabs, two users, and what they have proved and received. */
export class State {
  readonly nodes: readonly TestApplication[];
  readonly store: TestDatabase;
  readonly company: OpenidCompany;
  readonly browsers: [Browser, Browser];
  readonly users: [User, User];
  readonly tabs: [[Tab?, Tab?], [Tab?, Tab?]] = [[], []];
  readonly facts = new Facts();
  /** The sites that a user has entered or selected. */
  readonly sites: { browser: Index; user: User; site: string }[] = [];
  held: Held[] = [];
  /** During concurrent steps, the order of calls is unknown. */
  isAtOnce = false;
  /** The last sign-in at the company, which signs in one employee at a time. */
  atCompany: Promise<unknown> = Promise.resolve();
  /** The number of verified ID tokens and sessions. */
  examined = 0;
  /** The number of account calls that were permitted. */
  permitted = 0;

  constructor(
    service: { nodes: readonly TestApplication[]; store: TestDatabase; company: OpenidCompany },
    users: [User, User],
  ) {
    this.nodes = service.nodes;
    this.store = service.store;
    this.company = service.company;
    this.users = users;
    this.browsers = [this.node(0).openBrowser(), this.node(0).openBrowser()];
  }

  node(index: Index): TestApplication {
    const node = this.nodes[index % this.nodes.length];
    if (node === undefined) throw new Error('no such node');
    return node;
  }

  at({ browser, node }: Place): Browser {
    return this.browsers[browser].at(this.node(node).app);
  }

  get nowSeconds(): number {
    return Math.floor(this.node(0).clock.now().getTime() / 1000);
  }

  /** Advances the clock of all nodes. */
  advance(seconds: number): void {
    this.node(0).clock.advanceSeconds(seconds);
  }

  tab({ browser, tab }: { browser: Index; tab: Index }): Tab | undefined {
    return this.tabs[browser][tab];
  }

  /** A call about the sign-in of a tab. The page in the second tab is of the previous release. */
  post(step: Place & { tab: Index }, path: string, body: object): Promise<Answer> {
    const returnUrl = this.tab(step)?.returnUrl ?? 'nowhere';
    return this.at(step).post(`/api/ui/${path}`, { returnUrl, ...body }, step.tab === 0 ? knowing : {});
  }

  note(
    { browser }: { browser: Index },
    user: User,
    method: Method,
    epoch: number,
    fromSeconds: number,
  ): void {
    this.facts.note({ browser, user, method, epoch, fromSeconds, toSeconds: this.nowSeconds });
  }

  noteLocation(tab: Tab | undefined, answer: Answer): void {
    const { status, location } = answer.json();
    if (tab !== undefined && status === 'redirect') tab.location = String(location);
  }

  async findSignedIn(place: Place): Promise<User | undefined> {
    const answer = await this.at(place).call('/api/ui/sites');
    if (answer.status !== 200) return undefined;
    const user = this.users.find(({ id }) => id === answer.json()['userFirstName']);
    if (user === undefined) throw new Error('an unknown user is signed in');
    return user;
  }
}
