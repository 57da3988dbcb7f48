import type { Account } from './accounts.ts';
import type { SoftwarePasskey } from '../software-passkey.ts';

// The truth that a scenario compares the service with: who the users are, and what each has really proved.

/** The index of one of two users, browsers, tabs or nodes. */
export type Index = 0 | 1;

export type User = Account & {
  password: string;
  /** The number of account changes. */
  epoch: number;
  /** The number of concurrent changes by an operator, which other calls may see or not see. */
  changing: number;
  isDisabled: boolean;
  passkeys: SoftwarePasskey[];
  app: { secret: string; recoveryCodes: string[] } | undefined;
  /** When the user got the first second factor. A user always keeps one, because a site requires it. */
  factorSinceSeconds: number | undefined;
};

export type Method = 'pwd' | 'sms' | 'otp' | 'passkey' | 'fed';

/** What a user proved in a browser, in which state of the account, and between which times of the clock. */
export type Fact = {
  browser: Index;
  user: User;
  method: Method;
  epoch: number;
  fromSeconds: number;
  toSeconds: number;
};

export class Facts {
  #all: Fact[] = [];

  note(fact: Fact): void {
    this.#all.push(fact);
  }

  /** What the user proved in this browser and state of the account. */
  of(browser: Index, user: User, epoch = user.epoch): Fact[] {
    return this.#all.filter((fact) => fact.browser === browser && fact.user === user && fact.epoch === epoch);
  }

  /** A user's own account change keeps what the same browser has proved, and invalidates everything else. */
  carryOver(browser: Index, user: User, epoch: number): void {
    const own = this.of(browser, user, epoch);
    user.epoch += 1;
    this.#all.push(...own.map((fact) => ({ ...fact, epoch: user.epoch })));
  }

  forget(browser: Index, user: User | undefined): void {
    this.#all = this.#all.filter((fact) => fact.browser !== browser || fact.user !== user);
  }
}
