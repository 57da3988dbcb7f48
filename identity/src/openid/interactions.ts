import { calls, supportedLocales } from '@anteroom/contract';
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { findConnectionOfDomain, findDomain } from '../enterprise/connections-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { addSeconds } from '../lib/clock.ts';
import { untouchedSeconds } from '../lib/sign-in-lives.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { findAcr, hasPasskey } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findSite } from '../sites/sites-store.ts';
import type { Database } from '../store/schema.ts';
import type { Exchanges } from './exchanges.ts';
import { findClient, pageAddressFor } from './clients-store.ts';
import { isAnsweredBySession, parsePromptMethod } from './prompts.ts';
import { buildReturnUrl } from './return-url.ts';
import { openSignIn } from '../sign-ins/sign-ins-store.ts';

type Interaction = InstanceType<KoaContextWithOIDC['oidc']['provider']['Interaction']>;

/** The page that a person signs in on. */
const signInPage = '/ui/account/login';

/**
 * Where the provider sends a browser that has something to do: to our page, with the sign-in bound to that browser.
 * A user whose session with us is good has nothing to do, and goes straight back to the provider. A `login_hint` of a company's domain leads
 * straight to the company.
 */
export function createInteractionAddress(services: Services, exchanges: Exchanges) {
  const { database, clock } = services;
  return async (ctx: KoaContextWithOIDC, interaction: Interaction): Promise<string> => {
    const exchange = exchanges.require(ctx.req);
    const refused = await findWithoutPassword(database, exchange, interaction);
    const signedIn = refused ?? (await findPassingThrough(exchange, interaction));
    const browserId = signedIn?.browserId ?? (await findBrowserId(exchange));
    const parameters = readParameters(interaction.params);
    await openSignIn(
      database,
      {
        uid: interaction.uid,
        browserId,
        clientId: String(interaction.params['client_id']),
        promptMethod: parsePromptMethod(interaction.prompt.name),
        reasons: interaction.prompt.reasons,
        parameters,
        personId: signedIn?.personId,
        finishedAt: signedIn && clock.now(),
        expiresAt: addSeconds(clock.now(), untouchedSeconds),
      },
      clock.now(),
    );

    const returnUrl = buildReturnUrl(interaction.uid, parameters);
    if (signedIn === undefined) {
      if (interaction.prompt.name === 'login' && (await leadsToCompany(services, parameters))) {
        const query = new URLSearchParams({ site: parameters['site'] ?? '', returnUrl });
        return `${services.config.publicUrl}${calls.getExternalRedirect.path}?${query.toString()}`;
      }
      const client = await findClient(database, String(interaction.params['client_id']));
      return pageAddressFor(client, signInPage, { ReturnUrl: returnUrl });
    }
    interaction.result =
      refused === undefined
        ? { ...findOwnSubmission(interaction, signedIn), ...loginResult(signedIn, { proved: false }) }
        : { error: 'access_denied', error_description: 'there is no password here that could be changed' };
    await interaction.persist();
    return returnUrl;
  };
}

/** Whether the hint is an address of a company that signs its people in, and the site that is asked for, if any, is entered here. */
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
 * How a sign-in is told to the provider. `proved` says that the person has shown who they are in this very sign-in;
 * a session that was merely still good has not, and does not answer a prompt that asks for proof.
 */
export function loginResult(session: SignedInSession, { proved }: { proved: boolean }): InteractionResults {
  return {
    login: {
      accountId: session.personId,
      ts: Math.floor(session.authenticatedAt.getTime() / 1000),
      acr: findAcr(session.methods),
      // RFC 8176: `mfa` beside what it was proved with
      amr:
        session.methods.includes('otp') || hasPasskey(session.methods)
          ? [...session.methods, 'mfa']
          : session.methods,
      // the provider's cookie ends with the browser, as ours does
      remember: false,
      proved,
    },
  };
}

/** Who has answered a prompt, in which state of their account. A result that another person has brought answers nothing. */
export function answeredBy({ personId, securityVersion }: SignedInSession): string {
  return `${personId} ${securityVersion}`;
}

function findOwnSubmission(
  { lastSubmission }: Interaction,
  session: SignedInSession,
): InteractionResults | undefined {
  return lastSubmission?.['answeredBy'] === answeredBy(session) ? lastSubmission : undefined;
}

/** Names the browser. An expired session is left as it is, so that the page can still say that it has expired. */
async function findBrowserId(exchange: Exchange): Promise<string> {
  const found = await exchange.findSession();
  return found.state === 'expired' ? found.browserId : (await exchange.ensureSession()).browserId;
}

/** Whoever signs in over a company, has no password here, and is asked to change it: the application hears that there is none. */
async function findWithoutPassword(
  database: Database,
  exchange: Exchange,
  { prompt }: Interaction,
): Promise<SignedInSession | undefined> {
  if (parsePromptMethod(prompt.name) !== 'change_password') return undefined;
  const found = await exchange.findSession();
  if (found.state !== 'valid' || !found.session.externallyAuthenticated) return undefined;
  const person = await findActivePerson(database, found.session.personId);
  return person?.passwordHash === undefined ? found.session : undefined;
}

/** The provider alone does not know the session (any more). */
async function findPassingThrough(
  exchange: Exchange,
  { prompt, lastSubmission }: Interaction,
): Promise<SignedInSession | undefined> {
  if (prompt.name !== 'login' || !isAnsweredBySession(prompt)) return undefined;
  // it was tried already and did not help: going round again would never end
  if (lastSubmission?.login !== undefined) return undefined;
  const found = await exchange.findSession();
  return found.state === 'valid' && found.session.authSite !== undefined ? found.session : undefined;
}

/** The authorize parameters as they stand in the return address. */
function readParameters(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string') parameters[name] = value;
  }
  const language = parameters['requested_language'] ?? findLocale(parameters['ui_locales']);
  return language === undefined ? parameters : { ...parameters, requested_language: language };
}

/** The first of the standard's `ui_locales` that the front end speaks: it reads `requested_language` alone. */
function findLocale(uiLocales: string | undefined): string | undefined {
  const primary = (uiLocales ?? '')
    .split(' ')
    .map((tag) => tag.split('-')[0]?.toLowerCase())
    // the old code for Hebrew, which some platforms still send
    .map((language) => (language === 'iw' ? 'he' : language));
  return primary.find((language) => supportedLocales.some((locale) => locale === language));
}
