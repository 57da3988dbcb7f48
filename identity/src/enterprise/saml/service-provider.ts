import type { SamlConnection } from '../connection.ts';

/** The assertion consumer service. All connections share it: the answered request identifies the connection. */
export const acsPath = '/saml/acs';
/** The single logout service of both bindings; the connection's name follows as the last segment. */
export const singleLogoutPath = '/saml/slo';

/** Serves the form that sends a request to a provider with the POST binding. */
export const signInFormPath = '/saml/request';

/** A key that signs our messages; PEM. */
export type SamlSigningKey = { privateKey: string; certificate: string };

/** This service as one identity provider knows it. */
export type ServiceProvider = {
  /** Different for each connection, so that a message for one organisation is never valid for another. */
  entityId: string;
  acsUrl: string;
  singleLogoutUrl: string;
  /** The current key first; empty if the service has no RSA key. */
  signing: readonly SamlSigningKey[];
};

export function describeServiceProvider(
  publicUrl: string,
  connection: Pick<SamlConnection, 'name'>,
  signing: readonly SamlSigningKey[] = [],
): ServiceProvider {
  return {
    entityId: `${publicUrl}/saml/connections/${connection.name}`,
    acsUrl: `${publicUrl}${acsPath}`,
    singleLogoutUrl: `${publicUrl}${singleLogoutPath}/${connection.name}`,
    signing,
  };
}
