import type { Exchange, Visitor } from './visitor.ts';

/** What not every service offers: sites whose users sign in elsewhere, and optional members of the wire contract. */
export const needs = ['federated site', 'SAML site', 'organisations', 'finished sign-ins'] as const;
export type Need = (typeof needs)[number];

/** What an application may ask of a visitor who may be signed in already. */
export type Prompt = 'login' | 'elevate' | 'switch_site' | 'switch_tenant' | 'change_password';

/** What an account needs to sign in: a password alone, a code by SMS too, or a new password first. */
export const accountKinds = ['password', 'code', 'password-change'] as const;
export type AccountKind = (typeof accountKinds)[number];

export interface Account {
  userName: string;
  password: string;
  /** The sites that this account may enter. An account with a code has at least two, the others have one. */
  sites: readonly string[];
  /** Where codes are sent to: no answer says it. */
  phoneNumber?: string | undefined;
}

/**
 * How a service is brought into the state that a rule is about. The rules themselves know nothing but the contract.
 * `scenario-file.ts` makes one from a JSON file.
 */
export interface Scenario {
  /** The service's own address, without a slash behind it. */
  origin: string;
  offers: ReadonlySet<Need>;
  sites: {
    /** Its users have passwords; every account belongs to it. */
    open: string;
    /** It exists, and no account belongs to it. */
    foreign: string;
    /** No site has this name. */
    unknown: string;
    /** Its users sign in at their organisation's OpenID provider. */
    federated: string | undefined;
    /** The same with a SAML identity provider. */
    saml: string | undefined;
  };
  /** The client that sign-ins are for. */
  clientId: string;
  /** Hears of every exchange. */
  note: (exchange: Exchange) => void;
  /** An account of which nothing has been asked yet: no attempt counts against it, no session is open. */
  createAccount: (kind: AccountKind) => Promise<Account>;
  /** The application sends the browser to sign in; resolves with the `ReturnUrl` of the sign-in page. */
  beginSignIn: (visitor: Visitor, asked?: { prompt?: Prompt }) => Promise<string>;
  /** The code of the newest text message to the account. */
  readCode: (account: Account) => Promise<string>;
  /** The application asks for a sign-out that leads back to `address`; resolves with its logout id. */
  beginSignOut: (visitor: Visitor) => Promise<{ logoutId: string; address: string }>;
  /** Something goes wrong that the visitor reads on the error page; resolves with the error id. */
  causeError: (visitor: Visitor) => Promise<string>;
  /** Moves the service's clock, or waits. */
  advanceSeconds: (seconds: number) => Promise<void>;
}
