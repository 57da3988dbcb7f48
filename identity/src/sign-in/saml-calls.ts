import type { CallInput } from '@anteroom/contract';
import { findConnectionOfSite } from '../enterprise/connections-store.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import { createGetExternalRedirect } from './external-redirect.ts';
import type { SignInServices } from './sign-in-services.ts';

/** `GET /saml/sp-initiated-sso`: an older path for the redirect to a site's identity provider. */
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
 * `GET /saml/metadata/{sitename}`: our metadata, which the site's identity provider registers.
 * @throws `not_found` for a site without SAML, and equally for one that does not exist
 */
export function createGetSamlMetadata({ database, keys, providers }: SignInServices) {
  return async ({ params }: CallInput<'getSamlMetadata'>, exchange: Exchange): Promise<string> => {
    const site = await findNamedSite(database, params.sitename, exchange);
    const connection = site && (await findConnectionOfSite(database, keys, site.id));
    if (connection?.kind !== 'saml')
      throw new ContractError('not_found', { detail: 'the site has no SAML connection' });
    return providers.saml.metadata(connection);
  };
}
