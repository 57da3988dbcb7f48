import type { Exchange, Visitor } from './visitor.ts';

/** Optional members of the wire contract; the scenario file names those that the service supports. */
export const optionalMembers = ['organisations', 'finished sign-ins'] as const;
/**
 * The features that a rule can require: optional members of the contract, and features that other members of the
 * scenario file declare.
 */
export type Need = (typeof optionalMembers)[number] | 'federated site' | 'SAML site' | 'regions' | 'a clock';

/** The prompts that an application can request for a user who may already be signed in. */
export type Prompt = 'login' | 'elevate' | 'switch_site' | 'switch_tenant' | 'change_password';

/** The kinds of accounts by what they need to sign in: only a password, also a code by SMS, or first a new password. */
export const accountKinds = ['password', 'code', 'password-change'] as const;
export type AccountKind = (typeof accountKinds)[number];

export interface Account {
  userName: string;
  password: string;
  /** The sites of this account: at least two for an account with a code, one for others. */
  sites: readonly string[];
  /** The number for codes; no answer may contain it. */
  phoneNumber?: string | undefined;
}

/**
 * Brings a service into the state that a rule is about. The rules themselves only know the contract. `scenario-file.ts`
 * creates a scenario from a JSON file.
 */
export interface Scenario {
  /** The origin of the service, without a trailing slash. */
  origin: string;
  offers: ReadonlySet<Need>;
  sites: {
    /** A site with passwords, to which every account belongs. */
    open: string;
    /** A site that exists, but no account belongs to it. */
    foreign: string;
    /** A name that no site has. */
    unknown: string;
    /** A site whose users sign in at their organisation's OpenID provider. */
    federated: string | undefined;
    /** A site whose users sign in at a SAML identity provider. */
    saml: string | undefined;
  };
  /** The origin of another region's front end, which the service lists. */
  regionOrigin: string | undefined;
  /** The client of the sign-ins. */
  clientId: string;
  /** Called with every exchange. */
  note: (exchange: Exchange) => void;
  /** Creates an unused account: without failed attempts and sessions. */
  createAccount: (kind: AccountKind) => Promise<Account>;
  /** Starts a sign-in like the application; resolves to the `ReturnUrl` of the sign-in page. */
  beginSignIn: (visitor: Visitor, options?: { prompt?: Prompt }) => Promise<string>;
  /** The latest code sent to the account. */
  readCode: (account: Account) => Promise<string>;
  /** Starts a sign-out that returns to `address`; resolves to its logout id. */
  beginSignOut: (visitor: Visitor) => Promise<{ logoutId: string; address: string }>;
  /** Causes an error that the error page shows; resolves to the error id. */
  causeError: (visitor: Visitor) => Promise<string>;
  /** Advances the service's clock, or waits. */
  advanceSeconds: (seconds: number) => Promise<void>;
}
