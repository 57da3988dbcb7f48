import type { FastifyInstance } from 'fastify';
import { ExternalFailure } from './external-provider.ts';
import { SamlRefusal } from './saml/refusal.ts';
import type { KnownRequest } from './saml/saml-provider.ts';
import { acsPath, signInFormPath, singleLogoutPath } from './saml/service-provider.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { formContentType, readTextBodies } from '../http/text-bodies.ts';
import { signOutPath } from '../provider/return-url.ts';
import { findSignIn } from '../sign-in/sign-ins-store.ts';
import { renderForm } from '../texts/forwarding-page.ts';
import type { ForwardingPage } from '../texts/forwarding-page.ts';
import { beginAtApplication } from './begin-at-application.ts';
import { fail, plainErrorPage } from './external-failures.ts';
import { continuePath } from './external-routes.ts';
import { receiveSamlLogout } from '../sign-out/saml-logout.ts';
import type { ReceivedLogout } from '../sign-out/saml-logout.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/**
 * Allows messages of 256 kB: base64 has 4 characters for 3 bytes, and form encoding turns `+` and `/` into three
 * characters each.
 */
const formLimitBytes = 640 * 1024;

type Admit = (exchange: Exchange) => Promise<void>;

/**
 * The SAML routes. Identity providers make the browser post forms here, without our cookies and without an anti-forgery
 * token: the signed message authenticates the request, and its ticket is valid only in the browser that began the
 * sign-in (attacks and faults, S14). Only forms are parsed. Every response is a redirect, and all refusals have the
 * same response.
 */
export async function mountSaml(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): Promise<void> {
  // The limit is the same as for requests: verifying a response costs more than creating a request, and a request stays
  // open after an invalid response.
  const admit: Admit = async (exchange) => {
    if ((await services.externalAllowance.take('SAML message', exchange)) !== undefined)
      throw new SamlRefusal('too_many_answers');
  };

  await app.register((scope, _options, done) => {
    readTextBodies(scope, formContentType, formLimitBytes);

    scope.get<{ Querystring: { request?: unknown } }>(signInFormPath, async (request, reply) => {
      const exchange = createExchange(request, reply);
      const page = await renderRequest(services, request.query.request, exchange);
      return 'location' in page
        ? await reply.redirect(page.location, 303)
        : await reply.headers(page.headers).send(page.html);
    });

    scope.post(acsPath, async (request, reply) => {
      const exchange = createExchange(request, reply, { extendSession: false });
      const location = await receiveResponse(services, admit, String(request.body), exchange);
      return await reply.redirect(location, 303);
    });

    scope.post<{ Params: { connection: string } }>(
      `${singleLogoutPath}/:connection`,
      async (request, reply) => {
        const exchange = createExchange(request, reply, { extendSession: false });
        const logout = { connection: request.params.connection, posted: String(request.body) };
        const location = await receiveLogout(services, admit, logout, exchange);
        return location === undefined ? await reply.code(204).send() : await reply.redirect(location, 303);
      },
    );
    scope.get<{ Params: { connection: string } }>(
      `${singleLogoutPath}/:connection`,
      // The redirect binding requires a GET request that changes state. A HEAD request must not change state.
      { exposeHeadRoute: false },
      async (request, reply) => {
        const exchange = createExchange(request, reply, { extendSession: false });
        // Unparsed, because the signature covers the characters of the query string.
        const query = request.raw.url?.split('?').slice(1).join('?') ?? '';
        const logout = { connection: request.params.connection, redirected: query };
        const location = await receiveLogout(services, undefined, logout, exchange);
        return location === undefined ? await reply.code(204).send() : await reply.redirect(location, 303);
      },
    );
    done();
  });
}

/** Renders the page that posts this browser's request to the provider, or redirects to the error page. */
async function renderRequest(
  services: SignInServices,
  id: unknown,
  exchange: Exchange,
): Promise<ForwardingPage | { location: string }> {
  const browserId = await exchange.findBrowserId();
  const form = await services.companyProviders.saml
    .findRequestForm(typeof id === 'string' ? id : '', browserId)
    .catch((error: unknown) => {
      if (error instanceof ExternalFailure) return undefined;
      throw error;
    });
  if (form === undefined) return { location: plainErrorPage() };
  // The provider may redirect to another host, and `form-action` also applies to redirects. So only the scheme is restricted.
  const formAction = new URL(form.action).protocol;
  return renderForm({ ...form, formAction }, exchange.pageLanguage);
}

/** Returns the redirect target for an identity provider's response. */
async function receiveResponse(
  services: SignInServices,
  admit: Admit,
  form: string,
  exchange: Exchange,
): Promise<string> {
  const known: KnownRequest = {};
  try {
    await admit(exchange);
    const ticket = await services.companyProviders.saml.receive(form, known);
    return `${continuePath}?${new URLSearchParams({ ticket }).toString()}`;
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    const { request, connection } = known;
    if (known.isStartedByCompany === true && connection?.kind === 'saml') {
      const begun = await beginAtApplication(services, connection, exchange);
      if (begun !== undefined) return begun;
    }
    exchange.log.warn({ err: error, connection: connection?.name }, 'refused a SAML response');
    const { database, clock } = services;
    // Only the browser that began the request knows its id, so the error page may link back to that sign-in.
    const signIn = request && (await findSignIn(database, request.uid, request.browserId, clock.now()));
    return await fail(
      services,
      { event: 'external.prove', reason: error.reason, connection, signIn },
      exchange,
    );
  }
}

/**
 * Returns the redirect target for an identity provider's logout request; undefined if the provider accepts no response.
 * Requests of the redirect binding are not rate-limited: their signature is verified first, and a whole organisation
 * may sign out at once.
 */
async function receiveLogout(
  services: SignInServices,
  admit: Admit | undefined,
  logout: ReceivedLogout,
  exchange: Exchange,
): Promise<string | undefined> {
  try {
    await admit?.(exchange);
    return await receiveSamlLogout(services, logout, exchange);
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    exchange.log.warn({ err: error, connection: logout.connection }, 'refused a SAML logout request');
    services.audit.note(
      { event: 'session.end', result: 'failure', reason: error.reason, connection: logout.connection },
      exchange,
    );
    // The visitor wants to sign out, so redirect to our sign-out page, which asks for confirmation and signs out here
    // and at the applications.
    return signOutPath;
  }
}
