import type { AccountCall } from './account-calls.ts';
import type { SiteName } from './accounts.ts';
import type { Index } from './facts.ts';

/** What a user does in a browser, on a node. */
export type Step = { browser: Index; node: Index } & (
  | { kind: 'enter'; user: Index; site: SiteName; tab: Index }
  | { kind: 'authorize'; prompt: string | undefined; acr: string | undefined; tab: Index }
  | { kind: 'authenticate'; user: Index; site: SiteName | undefined; tab: Index }
  | { kind: 'verify'; user: Index; tab: Index }
  | { kind: 'select'; site: SiteName; tab: Index }
  | { kind: 'change-password'; user: Index; tab: Index }
  | { kind: 'passkey'; user: Index; site: SiteName | undefined; tab: Index }
  | { kind: 'app-code'; user: Index; isRecoveryCode: boolean; tab: Index }
  | { kind: 'enrol-app'; user: Index; tab: Index }
  | { kind: 'enrol-passkey'; tab: Index }
  | { kind: 'company'; user: Index; tab: Index }
  | { kind: 'confirm'; user: Index; isWhole: boolean; tab: Index }
  | { kind: 'account'; call: AccountCall }
  | { kind: 'follow'; tab: Index }
  | { kind: 'redeem' }
  | { kind: 'refresh' }
  | { kind: 'sign-out' }
  | { kind: 'recover'; user: Index }
  | { kind: 'operator'; user: Index; change: 'disable' | 'phone' | 'end-sessions' }
  | { kind: 'wait'; seconds: number }
);

/** A single step, or concurrent steps, whose password checks are released in the given order after everything else has been answered. */
export type Act = Step | { atOnce: Step[]; order: number[] };

/** The steps of one kind. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

export type Place = { browser: Index; node: Index };
