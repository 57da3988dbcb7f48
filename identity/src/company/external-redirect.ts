import type { Connection } from './connection.ts';
import { ExternalFailure } from './external-provider.ts';
import type { CompanyProvider } from './external-provider.ts';
import { openExternalRequest } from './external-requests.ts';
import { ContractError } from '../http/errors.ts';
import { isNavigation } from '../http/page-addresses.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import type { Site } from '../sites/sites-store.ts';
import { isElevateRequested, isProofRequested } from '../provider/prompts.ts';
import { findConnectionOfSite } from './connections-store.ts';
import type { CallHandler } from '../http/routes.ts';
import type { VisitorRows } from '../store/visitor-rows.ts';
import { fail, noteFailure, plainErrorPage } from './external-failures.ts';
import { findConnectionFor } from './home-realm-discovery.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { requireSignIn } from '../sign-in/find-sign-in.ts';

/**
 * Redirects to the identity provider of a site, or to that of the e-mail address that the visitor entered. On failure,
 * a navigation gets the error page, and any other request gets a contract error.
 */
export function createGetExternalRedirect(services: SignInServices): CallHandler<'getExternalRedirect'> {
  const { database } = services;

  return async ({ query }, exchange) => {
    const signIn = await requireSignIn(services, query.returnUrl, exchange);
    const site = await findNamedSite(database, query.site, exchange);
    if (query.site !== '' && site === undefined)
      throw new ContractError('not_found', { detail: 'the site does not exist' });
    const hint = signIn.externalHint ?? signIn.parameters['login_hint'];
    const connection = await findConnectionFor(services, site, hint, await exchange.findSession());
    const known = { event: 'external.begin', signIn, site: site?.name, connection } as const;
    const refuse = async (reason: string, error: ContractError): Promise<{ location: string }> => {
      if (isNavigation(exchange.headers))
        return { location: await fail(services, { ...known, reason }, exchange) };
      noteFailure(services, { ...known, reason }, exchange);
      throw error;
    };

    if (connection === undefined) {
      const reason = 'neither the site nor the address has a connection';
      return await refuse(reason, new ContractError('not_found', { detail: reason }));
    }
    const waitSeconds = await services.externalAllowance.take('redirect', exchange);
    if (waitSeconds !== undefined) {
      // Creates no error record, because requests of an address over the limit must not store rows.
      if (isNavigation(exchange.headers)) return { location: plainErrorPage(signIn) };
      const detail = 'too many redirects to identity providers from this address';
      throw new ContractError('rate_limit_reached', { detail, retryAfterSeconds: waitSeconds });
    }
    try {
      const isForced = query.forceAuthentication === 'true' || isFreshProofAsked(signIn);
      const rows = await exchange.requireAnonymousAllowance();
      const location = await begin(services, rows, { signIn, connection, site, hint, isForced });
      services.audit.note(
        {
          event: 'external.begin',
          result: 'success',
          clientId: signIn.clientId,
          site: site?.name,
          connection: connection.name,
          details: { forced: isForced ? 'yes' : 'no' },
        },
        exchange,
      );
      return { location };
    } catch (error) {
      if (!(error instanceof ExternalFailure)) throw error;
      exchange.log.warn(
        { err: error, connection: connection.name },
        'cannot redirect to an identity provider',
      );
      return await refuse(error.reason, new ContractError('upstream_failed', { cause: error }));
    }
  };
}

/**
 * Whether the application requires fresh authentication. For a switch to another tenant, and for a site that the
 * visitor entered in another region, an existing session at the provider is sufficient.
 */
export function isFreshProofAsked(signIn: SignIn): boolean {
  if (isElevateRequested(signIn)) return true;
  const isNamedElsewhere = signIn.reasons.every((reason) => reason === 'another_region');
  return isProofRequested(signIn) && signIn.promptMethod !== 'switch_tenant' && !isNamedElsewhere;
}

type RedirectInput = {
  signIn: SignIn;
  connection: Connection;
  site: Site | undefined;
  hint: string | undefined;
  isForced: boolean;
};

async function begin(services: SignInServices, rows: VisitorRows, input: RedirectInput): Promise<string> {
  const { connection } = input;
  const { openid, saml } = services.companyProviders;
  if (connection.kind === 'openid') return await beginAtCompany(services, rows, openid, connection, input);
  return await beginAtCompany(services, rows, saml, connection, input);
}

async function beginAtCompany<TConnection extends Connection>(
  services: SignInServices,
  rows: VisitorRows,
  provider: CompanyProvider<TConnection>,
  connection: TConnection,
  { signIn, site, hint, isForced }: RedirectInput,
): Promise<string> {
  const secrets = provider.createSecrets();
  const { id } = await openExternalRequest(services, rows, {
    connectionId: connection.id,
    uid: signIn.uid,
    browserId: signIn.browserId,
    siteId: site?.id,
    forceAuthentication: isForced,
    secrets,
  });
  const request = { id, secrets, forceAuthentication: isForced, loginHint: hint };
  return (await provider.begin(connection, request)).href;
}

/** `GET /saml/sp-initiated-sso`: the old path of the redirect to a site's identity provider. */
export function createGetSamlSso(services: SignInServices): CallHandler<'getSamlSso'> {
  const redirect = createGetExternalRedirect(services);
  return ({ query }, exchange) =>
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
 * `GET /saml/metadata/{sitename}`: the service provider metadata for the site's identity provider.
 * @throws `not_found` for a site without SAML and for an unknown site
 */
export function createGetSamlMetadata({
  database,
  keys,
  companyProviders,
}: SignInServices): CallHandler<'getSamlMetadata'> {
  return async ({ params }, exchange) => {
    const site = await findNamedSite(database, params.sitename, exchange);
    const connection = site && (await findConnectionOfSite(database, keys, site.id));
    if (connection?.kind !== 'saml')
      throw new ContractError('not_found', { detail: 'the site has no SAML connection' });
    return companyProviders.saml.metadata(connection);
  };
}
