import { sql } from 'kysely';
import { calls } from '@anteroom/contract';
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { findConnectionOfDomain, findDomain } from '../company/connections-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { findLocale } from '../http/language.ts';
import { paths } from '../http/page-addresses.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { describeAssurance } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findSite } from '../sites/sites-store.ts';
import type { Database } from '../store/schema.ts';
import { openingSignIn } from '../sign-in/sign-ins-store.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { isHintedUser, isAnsweredBySession, parsePromptMethod } from './prompts.ts';
import { findClient, pageAddressFor } from './clients-store.ts';
import { buildReturnUrl } from './return-url.ts';
import { writePending } from './request-writes.ts';

type Interaction = InstanceType<KoaContextWithOIDC['oidc']['provider']['Interaction']>;

/**
 * Returns the URL to which the provider redirects a browser that needs interaction: our sign-in page, with the sign-in
 * bound to the browser. For a user with a valid session, this is the provider itself. For a `login_hint` in a company's
 * domain, it is the redirect to the company's identity provider.
 */
export function createInteractionAddress(services: Services, exchanges: ExchangesByRequest) {
  const { database, clock } = services;
  return async (ctx: KoaContextWithOIDC, interaction: Interaction): Promise<string> => {
    const now = clock.now();
    const exchange = exchanges.require(ctx.req);
    const refused = await findWithoutPassword(database, exchange, interaction);
    const signedIn = refused ?? (await findPassingThrough(database, exchange, interaction));
    const browserId = signedIn?.browserId ?? (await findBrowserId(exchange));
    const parameters = readParameters(interaction.params);
    const signIn = {
      uid: interaction.uid,
      browserId,
      clientId: String(interaction.params['client_id']),
      promptMethod: parsePromptMethod(interaction.prompt.name),
      reasons: interaction.prompt.reasons,
      parameters,
      userId: signedIn?.userId,
      finishedAt: signedIn && now,
    };
    // The same statement writes the interaction, which the provider has just saved.
    const rows = await exchange.requireAnonymousAllowance();
    await writePending(services, ctx, {
      opened: sql`${openingSignIn(database, rows, signIn, now)}`,
    });

    const returnUrl = buildReturnUrl(interaction.uid, parameters);
    if (signedIn === undefined) {
      if (interaction.prompt.name === 'login' && (await leadsToCompany(services, parameters))) {
        const query = new URLSearchParams({ site: parameters['site'] ?? '', returnUrl });
        return `${services.config.publicUrl}${calls.getExternalRedirect.path}?${query.toString()}`;
      }
      const client = await findClient(database, String(interaction.params['client_id']));
      return pageAddressFor(client, paths.signIn, { ReturnUrl: returnUrl });
    }
    interaction.result =
      refused === undefined
        ? { ...findOwnSubmission(interaction, signedIn), ...loginResult(signedIn, { provedAt: undefined }) }
        : { error: 'access_denied', error_description: 'there is no password here that could be changed' };
    await interaction.persist();
    return returnUrl;
  };
}

/**
 * Whether the hint is an e-mail address of a federated company whose identity provider also serves the requested site,
 * if any.
 */
async function leadsToCompany(
  { config, database, keys }: Services,
  { login_hint: hint, site: siteName }: Readonly<Record<string, string>>,
): Promise<boolean> {
  const domain = hint === undefined ? undefined : findDomain(hint);
  if (domain === undefined || (await findConnectionOfDomain(database, keys, domain)) === undefined)
    return false;
  if (siteName === undefined) return true;
  const site = await findSite(database, siteName);
  return site !== undefined && (site.identityServiceUrl ?? config.publicUrl) === config.publicUrl;
}

/**
 * The sign-in result for the provider. `provedAt`: the user authenticated in this sign-in, which is reported now. A
 * session that was merely still valid does not satisfy a prompt that requires authentication.
 */
export function loginResult(
  { userId, methods }: Pick<SignedInSession, 'userId' | 'methods'>,
  { provedAt }: { provedAt: Date | undefined },
): InteractionResults {
  const { acr, amr, at } = describeAssurance(methods, { freshAt: provedAt });
  return {
    login: {
      accountId: userId,
      ts: Math.floor(at.getTime() / 1000),
      acr,
      amr,
      // Makes the provider's cookie a session cookie, like the service's own.
      remember: false,
      proved: provedAt !== undefined,
    },
  };
}

/**
 * Identifies the user who answered a prompt, and the security version of the account. A result of another user does not
 * count.
 */
export function answeredBy({
  userId,
  securityVersion,
}: Pick<SignedInSession, 'userId' | 'securityVersion'>): string {
  return `${userId} ${securityVersion}`;
}

function findOwnSubmission(
  { lastSubmission }: Interaction,
  session: SignedInSession,
): InteractionResults | undefined {
  return lastSubmission?.['answeredBy'] === answeredBy(session) ? lastSubmission : undefined;
}

/** The id of this browser. An expired session is not replaced, so that the page can still report the expiry. */
async function findBrowserId(exchange: Exchange): Promise<string> {
  const found = await exchange.findSession();
  return found.state === 'expired' ? found.browserId : (await exchange.ensureSession()).browserId;
}

/**
 * Finds a signed-in user without a password if the application requests a password change. The application then gets an
 * error.
 */
async function findWithoutPassword(
  database: Database,
  exchange: Exchange,
  { prompt }: Interaction,
): Promise<SignedInSession | undefined> {
  if (parsePromptMethod(prompt.name) !== 'change_password') return undefined;
  const found = await exchange.findSession();
  if (found.state !== 'valid' || !found.session.externallyAuthenticated) return undefined;
  const user = await findActiveUser(database, found.session.userId);
  return user?.passwordHash === undefined ? found.session : undefined;
}

/** Finds a valid session of the service if only the provider's session is missing. */
async function findPassingThrough(
  database: Database,
  exchange: Exchange,
  { prompt, lastSubmission, params }: Interaction,
): Promise<SignedInSession | undefined> {
  if (prompt.name !== 'login' || !isAnsweredBySession(prompt)) return undefined;
  // The session was already tried without success. Trying it again would cause a loop.
  if (lastSubmission?.login !== undefined) return undefined;
  const found = await exchange.findSession();
  if (found.state !== 'valid' || found.session.authSite === undefined) return undefined;
  return (await isHintedUser(database, params, found.session.userId)) ? found.session : undefined;
}

/** The authorization parameters for the return URL. */
export function readParameters(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string') parameters[name] = value;
  }
  const language = parameters['requested_language'] ?? findUiLocale(parameters['ui_locales']);
  return language === undefined ? parameters : { ...parameters, requested_language: language };
}

/** The first of the request's `ui_locales` that the front end supports. The front end itself reads only `requested_language`. */
function findUiLocale(uiLocales: string | undefined): string | undefined {
  const locales = (uiLocales ?? '').split(' ').map(findLocale);
  return locales.find((locale) => locale !== undefined);
}
