import type { FastifyInstance } from 'fastify';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import { SamlRefusal } from '../enterprise/saml/refusal.ts';
import type { KnownTrip } from '../enterprise/saml/saml-provider.ts';
import { acsPath, signInFormPath, singleLogoutPath } from '../enterprise/saml/service-provider.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { createAllowances } from '../limits/allowances.ts';
import { findSignIn } from '../sign-ins/sign-ins-store.ts';
import { beginAtApplication } from './begin-at-application.ts';
import { localeOf } from '../http/language.ts';
import { drawForm } from '../regions/pages.ts';
import type { RegionPage } from '../regions/pages.ts';
import { fail, plainErrorPage } from './external-failures.ts';
import { continuePath } from './external-routes.ts';
import { receiveSamlLogout } from './saml-logout.ts';
import type { ReceivedLogout } from './saml-logout.ts';
import type { SignInServices } from './sign-in-services.ts';

/** 256 kB as base64 (4 for 3) as a form has it, where two of its 64 characters take three. */
const formLimitBytes = 640 * 1024;

/** Where a browser goes on whose sign-out has been refused. */
const signOutPath = '/connect/session/end';

const windowSeconds = 10 * 60;
type Admit = (exchange: Exchange) => Promise<void>;

/**
 * What identity providers send browsers with. Forms of other sites post here, without a cookie of ours and without an anti-forgery
 * token: what proves something is the signed message, and the ticket that it becomes is good in one browser alone
 * (attacks and faults, S14). Only forms are read; every answer is a redirect, and all refusals look the same.
 */
export async function mountSaml(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): Promise<void> {
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  // A refused answer leaves its trip open, and checking one costs more than asking for it. An address may bring as many as it may begin
  // trips: nobody who is honest needs more.
  const admit: Admit = async (exchange) => {
    const limit = { count: services.config.external.tripsPerTenMinutes, windowSeconds };
    const waitSeconds = await allowances.take('SAML answer', exchange, limit);
    if (waitSeconds !== undefined) throw new SamlRefusal('too_many_answers');
  };

  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimitBytes },
      (_request, body, parsed) => parsed(null, body),
    );

    scope.get<{ Querystring: { request?: unknown } }>(signInFormPath, async (request, reply) => {
      const exchange = createExchange(request, reply);
      const page = await drawRequest(services, request.query.request, exchange);
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
      // it changes something, as the binding wants it: nobody who only looks shall do that
      { exposeHeadRoute: false },
      async (request, reply) => {
        const exchange = createExchange(request, reply, { extendSession: false });
        // as it came: what is signed are the characters of the address
        const query = request.raw.url?.split('?').slice(1).join('?') ?? '';
        const logout = { connection: request.params.connection, redirected: query };
        const location = await receiveLogout(services, undefined, logout, exchange);
        return location === undefined ? await reply.code(204).send() : await reply.redirect(location, 303);
      },
    );
    done();
  });
}

/** The page with the form of a request that this browser has begun; else the error page. */
async function drawRequest(
  services: SignInServices,
  id: unknown,
  exchange: Exchange,
): Promise<RegionPage | { location: string }> {
  const browserId = await exchange.findBrowserId();
  const form = await services.providers.saml
    .findRequestForm(typeof id === 'string' ? id : '', browserId)
    .catch((error: unknown) => {
      if (error instanceof ExternalFailure) return undefined;
      throw error;
    });
  if (form === undefined) return { location: plainErrorPage() };
  // the provider may redirect to wherever it keeps its own form, so its scheme is all that can be said
  const formAction = new URL(form.action).protocol;
  return drawForm({ ...form, formAction }, localeOf(exchange.raw.request.headers));
}

/** Where the browser goes with an identity provider's answer. */
async function receiveResponse(
  services: SignInServices,
  admit: Admit,
  form: string,
  exchange: Exchange,
): Promise<string> {
  const known: KnownTrip = {};
  try {
    await admit(exchange);
    const ticket = await services.providers.saml.receive(form, known);
    return `${continuePath}?${new URLSearchParams({ ticket }).toString()}`;
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    const { request, connection } = known;
    if (known.isBegunThere === true && connection?.kind === 'saml') {
      const begun = await beginAtApplication(services, connection, exchange);
      if (begun !== undefined) return begun;
    }
    exchange.log.warn({ err: error, connection: connection?.name }, 'a SAML response was refused');
    const { database, clock } = services;
    // whoever knows the trip's id has been on it: the page may lead back to where it began
    const signIn = request && (await findSignIn(database, request.uid, request.browserId, clock.now()));
    return await fail(
      services,
      { event: 'external.prove', reason: error.reason, connection, signIn },
      exchange,
    );
  }
}

/**
 * Where the browser goes with an identity provider's sign-out; nowhere when the provider takes no answer. One whose signature is looked
 * at before anything else is not counted: a whole company may go home at once.
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
    exchange.log.warn({ err: error, connection: logout.connection }, 'a SAML sign-out was refused');
    services.audit.note(
      { event: 'session.end', result: 'failure', reason: error.reason, connection: logout.connection },
      exchange,
    );
    // the visitor wants to leave: our own page asks, and signs out of this service and its applications
    return signOutPath;
  }
}
