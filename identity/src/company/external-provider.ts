import type { Connection } from './connection.ts';

/** The parameters of a request to an identity provider. */
export type ExternalRequestParameters = {
  /** Identifies the request and is returned with the response: as `state`, or (after a `_`) as the SAML request's ID. */
  id: string;
  /** The secrets from `createSecrets`, stored on the server until the response. */
  secrets: Readonly<Record<string, string>>;
  /** The user must authenticate again; a session at the provider is not enough. */
  forceAuthentication: boolean;
  /** The user name that the user entered, to prefill the provider's form. */
  loginHint: string | undefined;
};

/** A kind of identity provider (OpenID or SAML), as the sign-in uses it. */
export type CompanyProvider<TConnection extends Connection = Connection> = {
  /** Creates the values for checking the response, in addition to the request's id. */
  createSecrets: () => Record<string, string>;
  /**
   * Returns the URL to redirect the browser to.
   * @throws ExternalFailure if the provider is unreachable or misconfigured
   */
  begin: (connection: TConnection, request: ExternalRequestParameters) => Promise<URL>;
};

/**
 * A failed request to an identity provider. `reason` is for the log and the audit log only: the visitor sees the
 * generic error page, without any text from the provider.
 */
export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure';
  readonly reason: string;

  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(`Company sign-on failed: ${reason}`, options);
    this.reason = reason;
  }
}
