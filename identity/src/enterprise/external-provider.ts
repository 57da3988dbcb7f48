import type { Connection } from './connection.ts';

/** What a trip to a provider is begun with. */
export type TripRequest = {
  /** Names the trip and comes back with the answer: `state`, or (behind a `_`) the SAML request's ID. */
  id: string;
  /** What `createSecrets` has made, kept on the server until the answer is there. */
  secrets: Readonly<Record<string, string>>;
  /** The person must prove anew who they are; a session at the provider is not enough. */
  forceAuthentication: boolean;
  /** What the person has typed as their name, for the provider's own form. */
  loginHint: string | undefined;
};

/** One kind of identity provider of other organisations, as the sign-in sees it. */
export type ExternalProvider<TConnection extends Connection = Connection> = {
  /** What the answer will be checked with besides the trip's id. */
  createSecrets: () => Record<string, string>;
  /**
   * The address that the browser goes to.
   * @throws ExternalFailure when the provider cannot be reached or is set up wrongly.
   */
  begin: (connection: TConnection, request: TripRequest) => Promise<URL>;
};

/**
 * A trip to a provider that came to nothing. `reason` is for the log and the audit alone: the visitor reads the generic
 * error page, and nothing that a provider has said.
 */
export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure';
  readonly reason: string;

  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(`Company sign-on failed: ${reason}`, options);
    this.reason = reason;
  }
}
