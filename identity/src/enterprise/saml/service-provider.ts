import type { SamlConnection } from '../connection.ts';

/** Where identity providers post their answers. One address for all: which connection is meant stands in the trip that is answered. */
export const acsPath = '/saml/acs';
/** Where identity providers send sign-outs, by either binding; behind it stands the connection's name. */
export const singleLogoutPath = '/saml/slo';

/** Where a browser gets the form that takes its request to a provider with the POST binding. */
export const signInFormPath = '/saml/request';

/** What our messages are signed with; PEM. */
export type SamlSigningKey = { privateKey: string; certificate: string };

/** Ourselves, as one identity provider knows us. */
export type ServiceProvider = {
  /** Each connection has one of its own, so that what is meant for one organisation is for no other. */
  entityId: string;
  acsUrl: string;
  singleLogoutUrl: string;
  /** The present one first; none when the service has no RSA key. */
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
