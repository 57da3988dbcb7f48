import type { Visitor } from './visitor.ts';

/** What an application may ask of a visitor who may be signed in already. */
export type Prompt = 'login' | 'elevate' | 'switch_site' | 'switch_tenant' | 'change_password';

/** What an account needs to sign in: a password alone, a code by SMS too, or a new password first. */
export type AccountKind = 'password' | 'code' | 'password-change';

export interface Account {
  userName: string;
  password: string;
  /** The sites that this account may enter. An account with a code has at least two, the others have one. */
  sites: readonly string[];
  /** Where codes are sent to: no answer says it. */
  phoneNumber?: string;
}

/**
 * How a service is brought into the state that a rule is about. One implementation for each service, so that the rules themselves know
 * nothing but the contract.
 */
export interface Scenario {
  /** The service's own address, without a slash behind it. */
  origin: string;
  sites: {
    /** Its people have passwords. */
    open: string;
    /** Its people sign in at their organisation's OpenID provider. */
    federated: string;
    /** The same with a SAML identity provider. */
    saml: string;
    /** No site has this name. */
    unknown: string;
  };
  /** The client that sign-ins are for. */
  clientId: string;
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
  /** Moves the service's clock. */
  advanceSeconds: (seconds: number) => void;
}
