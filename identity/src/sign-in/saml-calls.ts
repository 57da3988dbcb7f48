import type { CallInput } from '@anteroom/contract';
import { findConnectionOfSite } from '../enterprise/connections-store.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import { createGetExternalRedirect } from './external-redirect.ts';
import type { SignInServices } from './sign-in-services.ts';

/** `GET /saml/sp-initiated-sso`: the way to a site's identity provider by its older address. The trip is the same. */
export function createGetSamlSso(services: SignInServices) {
  const redirect = createGetExternalRedirect(services);
  return ({ query }: CallInput<'getSamlSso'>, exchange: Exchange): Promise<{ location: string }> =>
    redirect(
      {
        params: undefined,
        query: {
          site: query.site ?? '',
          returnUrl: query.returnUrl,
          forceAuthentication: query.forceAuthentication,
        },
        body: undefined,
      },
      exchange,
    );
}

/**
 * `GET /saml/metadata/{sitename}`: what a site's identity provider registers of us.
 * @throws `not_found` for a site that has none, and for one that does not exist: neither can be told from the other
 */
export function createGetSamlMetadata({ database, keys, providers }: SignInServices) {
  return async ({ params }: CallInput<'getSamlMetadata'>, exchange: Exchange): Promise<string> => {
    const site = await findNamedSite(database, params.sitename, exchange);
    const connection = site && (await findConnectionOfSite(database, keys, site.id));
    if (connection?.kind !== 'saml') throw new ContractError('not_found', { detail: 'no SAML at that site' });
    return providers.saml.metadata(connection);
  };
}
